import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, fileSamples, type Histogram, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS, type Distribution, fill } from "../data/distributions.ts";
import { cPeer, jsPeer, numpyPeer, Peer } from "../peers/process.ts";
import type { Contest, RowHead } from "../runner/contest.ts";
import { machineFile } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { progressLine } from "../runner/progress.ts";
import { Report } from "../runner/report.ts";
import type { Row } from "../runner/row.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";

const BINS = 256;

/**
 * Measures the worker pool on u8 data in shared memory and in a cached file, the plain JavaScript loop, the same loop in C,
 * and NumPy. All alternate in every round. Every cell is compared with the loop first.
 */
export async function benchWorkers(
  mebibytes = 256,
  rounds = 15,
  threads: readonly number[] = [1, 2],
): Promise<string> {
  const n = mebibytes * 2 ** 20;
  const scratch = mkdtempSync(join(tmpdir(), "polybin-bench-"));
  const file = join(scratch, "data");
  const data = new Uint8Array(new SharedArrayBuffer(n));
  writeFileSync(file, data);
  const { show, clear } = progressLine();
  const results = machineFile("workers");
  const report = new Report(results, null);
  const peers = [jsPeer(file, n), cPeer(file, n, scratch), numpyPeer(file, n, scratch)].filter((peer) => {
    if (typeof peer === "string") report.miss(peer);
    return peer instanceof Peer;
  }) as Peer[];
  const engines = await Promise.all(
    threads.map((count) => openEngine({ backend: piscina({ threads: count }) })),
  );
  try {
    for (const distribution of DISTRIBUTIONS) {
      show(`workers: ${distribution}`);
      fill(data, distribution);
      writeFileSync(file, data);
      for (const peer of peers) await peer.load();
      const of: Data = { distribution, n, truth: await countedBy(peers[0]!) };
      const contestants = [
        ...peers.map((peer) => ofPeer(of, peer)),
        ...engines.flatMap((engine, i) => ours(of, engine, threads[i]!, data, file)),
      ];
      await measureInTurns(report, contestants, { rounds });
    }
  } finally {
    clear();
    for (const engine of engines) await engine.close();
    for (const peer of peers) peer.close();
    rmSync(scratch, { recursive: true });
  }
  report.save();
  print(report.results());
  return results;
}

/** The counts of the plain loop, the reference for all others. */
async function countedBy(loop: Peer): Promise<readonly number[]> {
  await loop.run();
  return loop.counts();
}

/** The data that all cells of one distribution share. */
interface Data {
  readonly distribution: Distribution;
  readonly n: number;
  readonly truth: readonly number[];
}

type Place = Pick<Row, "backend" | "algorithm" | "peer" | "residence" | "threads">;

function headOf({ distribution, n }: Data, place: Place): RowHead {
  return { ...place, type: "u8", bins: BINS, n, distribution };
}

function difference({ truth }: Data, counts: ArrayLike<number>): string | null {
  const bin = truth.findIndex((count, at) => count !== counts[at]);
  return bin < 0 ? null : `bin ${bin}: expected ${truth[bin]} but received ${counts[bin]}`;
}

function ours(of: Data, engine: Engine, threads: number, data: Uint8Array, path: string): Contestant[] {
  const input = {
    resident: data,
    file: fileSamples({ path, bytes: data.length }),
  };
  const cell = (
    algorithm: "per-lane" | "per-thread" | "trish",
    residence: "resident" | "file",
    share: number,
  ): Contestant => ({
    name: `${algorithm}, ${threads} threads, ${residence}, ${of.distribution}`,
    share,
    open: (): Contest<Histogram> => ({
      call: () => engine.histogram(input[residence], { algorithm }),
      wrong: async ({ counts }) => difference(of, counts),
      time: (_found, ms) => ms,
      row: () => headOf(of, { backend: "piscina", algorithm, peer: null, residence, threads }),
      bytes: of.n,
      ceiling: null,
    }),
  });
  return [
    cell("per-lane", "resident", 1),
    cell("per-lane", "file", 1),
    cell("trish", "resident", 1 / 3),
    cell("per-thread", "resident", 1 / 3),
  ];
}

function ofPeer(of: Data, peer: Peer): Contestant {
  const { name } = peer;
  const place = { backend: null, algorithm: null, peer: name, residence: "resident", threads: 1 } as const;
  return {
    name: `${name}, ${of.distribution}`,
    isPeer: true,
    share: name === "numpy" ? 1 / 5 : 1,
    open: (): Contest<number> => ({
      call: () => peer.run(),
      wrong: async () => difference(of, await peer.counts()),
      time: (ms) => ms,
      row: () => headOf(of, place),
      bytes: of.n,
      ceiling: null,
    }),
  };
}
