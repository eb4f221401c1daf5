import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, fileSamples, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS, fill } from "../data/distributions.ts";
import { differenceOf } from "../data/tile.ts";
import { cPeer, jsPeer, numpyPeer, Peer } from "../peers/process.ts";
import { machineFile } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { progressLine } from "../runner/progress.ts";
import { Report } from "../runner/report.ts";
import { Scope } from "../runner/scope.ts";
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
  const results = machineFile("workers");
  const report = new Report(results, null);
  await measure(report, mebibytes * 2 ** 20, rounds, threads);
  report.save();
  print(report.results());
  return results;
}

async function measure(report: Report, n: number, rounds: number, threads: readonly number[]): Promise<void> {
  await using scope = new Scope();
  const scratch = scope.folder();
  const path = join(scratch, "data");
  const data = new Uint8Array(new SharedArrayBuffer(n));
  writeFileSync(path, data);
  const peers = [jsPeer(path, n), cPeer(path, n, scratch), numpyPeer(path, n, scratch)].filter((peer) => {
    if (typeof peer === "string") report.miss(peer);
    return peer instanceof Peer;
  }) as Peer[];
  for (const peer of peers) scope.own(peer);
  const engines: Engine[] = [];
  for (const count of threads)
    engines.push(scope.own(await openEngine({ backend: piscina({ threads: count }) })));
  const input = { resident: data, file: fileSamples({ path, bytes: n }) };
  using progress = progressLine();
  for (const distribution of DISTRIBUTIONS) {
    progress.show(`workers: ${distribution}`);
    fill(data, distribution);
    writeFileSync(path, data);
    for (const peer of peers) await peer.load();
    await peers[0]!.run();
    const truth = await peers[0]!.counts();
    const place = { type: "u8", bins: BINS, n, distribution } as const;
    const theirs = peers.map((peer): Contestant => {
      const { name } = peer;
      const row = { algorithm: null, peer: name, residence: "resident", threads: 1, ...place } as const;
      const share = name === "numpy" ? 1 / 5 : 1;
      const wrong = async () => differenceOf(truth, await peer.counts());
      const call = () => peer.run();
      return {
        name: `${name}, ${distribution}`,
        share,
        row,
        bytes: n,
        call,
        wrong,
        time: (ms) => ms as number,
      };
    });
    const ours = engines.flatMap((engine, i) =>
      CELLS.map(
        ([algorithm, residence, share]): Contestant => ({
          name: `${algorithm}, ${threads[i]} threads, ${residence}, ${distribution}`,
          share,
          row: { backend: "piscina", algorithm, residence, threads: threads[i], ...place },
          bytes: n,
          call: () => engine.histogram(input[residence], { algorithm }),
          wrong: async (found) => differenceOf(truth, (found as { counts: ArrayLike<number> }).counts),
        }),
      ),
    );
    await measureInTurns(report, [...theirs, ...ours], { rounds });
  }
}

/** Our cells, with their shares of the rounds. */
const CELLS = [
  ["per-lane", "resident", 1],
  ["per-lane", "file", 1],
  ["trish", "resident", 1 / 3],
  ["per-thread", "resident", 1 / 3],
] as const;
