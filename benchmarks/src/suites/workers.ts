import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, fileSamples, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS, type Distribution, fill } from "../data/distributions.ts";
import { cPeer, jsPeer, numpyPeer, Peer } from "../peers/process.ts";
import { median, type Row, throughput, writeResults } from "../runner/result.ts";
import { type Contestant, takeTurns } from "../runner/turns.ts";

const BINS = 256;

/** Who takes part: counts the data once and says how long it took. */
interface Counting extends Pick<Contestant, "share" | "run"> {
  readonly row: Pick<Row, "backend" | "algorithm" | "peer" | "residence" | "threads">;
  counts(): Promise<ArrayLike<number>>;
}

/**
 * The worker pool on u8 data in shared memory and in a cached file, beside the plain JavaScript loop, the
 * same loop in C and NumPy. All take turns in every round; every cell is compared with the loop first.
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
  const missing: string[] = [];
  const peers = [jsPeer(file, n), cPeer(file, n, scratch), numpyPeer(file, n, scratch)].filter((peer) => {
    if (typeof peer === "string") missing.push(peer);
    return peer instanceof Peer;
  }) as Peer[];
  const engines = await Promise.all(
    threads.map((count) => openEngine({ backend: piscina({ threads: count }) })),
  );
  const rows: Row[] = [];
  try {
    const contestants = [
      ...peers.map(ofPeer),
      ...engines.flatMap((engine, i) => ours(engine, threads[i]!, data, file)),
    ];
    for (const distribution of DISTRIBUTIONS) {
      process.stderr.write(`${distribution} …\n`);
      fill(data, distribution);
      writeFileSync(file, data);
      for (const peer of peers) await peer.load();
      rows.push(...(await measure(contestants, distribution, n, rounds)));
    }
  } finally {
    for (const engine of engines) await engine.close();
    for (const peer of peers) peer.close();
    rmSync(scratch, { recursive: true });
  }
  print(rows);
  return writeResults("workers", rows, missing);
}

async function measure(
  contestants: readonly Counting[],
  distribution: Distribution,
  n: number,
  rounds: number,
): Promise<Row[]> {
  await contestants[0]!.run();
  const truth = Array.from(await contestants[0]!.counts());
  const results = await takeTurns(
    contestants.map((contestant) => ({
      share: contestant.share,
      run: () => contestant.run(),
      isRight: async () => {
        const counts = await contestant.counts();
        return truth.every((count, bin) => count === counts[bin]);
      },
    })),
    rounds,
  );
  return results.map(({ ms, exact }, i) => ({
    ...contestants[i]!.row,
    type: "u8",
    bins: BINS,
    n,
    distribution,
    ms,
    gbps: throughput(n, ms),
    ceilingPercent: null,
    exact,
  }));
}

function ours(engine: Engine, threads: number, data: Uint8Array, path: string): Counting[] {
  const input = {
    resident: data,
    file: fileSamples({ path, bytes: data.length }),
  };
  const cell = (
    algorithm: "per-lane" | "per-thread" | "trish",
    residence: "resident" | "file",
    share: number,
  ) => ({
    row: { backend: "piscina", algorithm, peer: null, residence, threads },
    share,
    run: async () => {
      const { timings } = await engine.histogram(input[residence], { algorithm });
      return timings!.totalMs;
    },
    counts: async () => (await engine.histogram(input[residence], { algorithm })).counts,
  });
  return [
    cell("per-lane", "resident", 1),
    cell("per-lane", "file", 1),
    cell("trish", "resident", 1 / 3),
    cell("per-thread", "resident", 1 / 3),
  ];
}

function ofPeer(peer: Peer): Counting {
  return {
    row: { backend: null, algorithm: null, peer: peer.name, residence: "resident", threads: 1 },
    share: peer.name === "numpy" ? 1 / 5 : 1,
    run: () => peer.run(),
    counts: () => peer.counts(),
  };
}

function print(rows: readonly Row[]): void {
  const names = [...new Set(rows.map(nameOf))];
  const cell = (name: string, distribution: string) =>
    rows.find((row) => nameOf(row) === name && row.distribution === distribution)!;
  const line = (name: string, cells: readonly string[]) =>
    console.log(name.padEnd(34) + cells.map((text) => text.padStart(9)).join(""));
  line("GB/s, medians", [...DISTRIBUTIONS, "worst/best"]);
  for (const name of names) {
    const speeds = DISTRIBUTIONS.map((distribution) => cell(name, distribution).gbps);
    const inexact = DISTRIBUTIONS.some((distribution) => !cell(name, distribution).exact);
    line(inexact ? `${name} NOT EXACT` : name, [
      ...speeds.map((speed) => speed.toFixed(2)),
      (Math.min(...speeds) / Math.max(...speeds)).toFixed(2),
    ]);
  }
  console.log(
    `\nmedian of ${rows[0]!.ms.length} rounds; the plain loop takes ${median(rows[0]!.ms).toFixed(0)} ms on ${rows[0]!.distribution} data`,
  );
}

function nameOf({ peer, algorithm, threads, residence }: Row): string {
  return peer ?? `${algorithm}, ${threads} worker${threads === 1 ? "" : "s"}, ${residence}`;
}
