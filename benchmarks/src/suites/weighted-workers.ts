import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import {
  type Engine,
  type FeatureTable,
  openEngine,
  type TableSums,
  type TableSumsOnly,
} from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { rowOf } from "../data/feature-rows.ts";
import { ShiftedTable, weightsOf } from "../data/feature-table.ts";
import { type Peer, weightedJsPeer } from "../peers/process.ts";
import { machineFile } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { progressLine } from "../runner/progress.ts";
import { Report } from "../runner/report.ts";
import type { Row, Weighted } from "../runner/row.ts";
import { Scope } from "../runner/scope.ts";
import { median } from "../runner/statistics.ts";
import { addsOf } from "../runner/sums.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";

const BINS = 256;
/** Number of features for the algorithms with atomics, which take fifty times as long per document. */
const SOME = 4;

/** One request to the workers. */
interface Request {
  readonly algorithm: `weighted-${"fixed-point" | "collision-free" | "collision" | "collision-reduced"}`;
  readonly features: number;
  readonly share: number;
  readonly counts?: false;
  readonly squares?: true;
}

/** A size of the suite. */
export interface WeightedSize {
  readonly features: number;
  readonly documents: number;
  readonly rounds: number;
  readonly threads: readonly number[];
}
const SIZE: WeightedSize = { features: 256, documents: 2 ** 20, rounds: 11, threads: [1, 2] };

/**
 * Measures whole calls of weighted sums on the worker pool, and the plain JavaScript loop over the same table of bytes. All
 * alternate in every round. Every cell is compared with the loop, whose doubles are exact for these weights.
 */
export async function benchWeighted(): Promise<string> {
  const before = loadavg();
  const file = machineFile("weighted");
  const report = new Report(file, null);
  await measureWeighted(report, SIZE);
  report.note("over the plain loop", overLoop(report.rows));
  report.note("2 workers over 1", scaling(report.rows));
  // Averages over 1, 5 and 15 minutes, which show other load on the cores.
  report.note("load average", { before, after: loadavg() });
  print(report.results());
  return file;
}

/** Measures the rows. */
export async function measureWeighted(report: Report, size: WeightedSize): Promise<void> {
  const { features, documents, rounds, threads } = size;
  await using scope = new Scope();
  const scratch = scope.folder();
  const file = (name: string) => join(scratch, name);
  const weights = weightsOf(documents);
  writeFileSync(file("weights"), weights);
  const memory = new Uint8Array(features * documents);
  const peer = scope.own(weightedJsPeer(file("values"), file("weights"), features, BINS));
  const engines: Engine[] = [];
  for (const count of threads)
    engines.push(scope.own(await openEngine({ backend: piscina({ threads: count }) })));
  using progress = progressLine();
  for (const distribution of DISTRIBUTIONS) {
    progress.show(`weighted: ${distribution}`);
    const of = new ShiftedTable(rowOf(distribution, BINS, documents), "u8", features);
    const init = of.init(of.all, memory);
    writeFileSync(file("values"), memory);
    await peer.load();
    await peer.run();
    const truth = await peer.counts();
    const tables = await Promise.all(engines.map((engine) => engine.table(init)));
    const ours = tables.flatMap((table, i) => {
      const own = { table, weights, truth, threads: threads[i]! };
      return requestsOf(features).map((request) => workersOf(of, request, own));
    });
    await measureInTurns(report, [loopOf(of, peer), ...ours], { rounds });
    await Promise.all(tables.map((table) => table.free()));
  }
}

function requestsOf(features: number): Request[] {
  const all = { algorithm: "weighted-fixed-point", features, share: 1 } as const;
  const slow = { features: Math.min(SOME, features), share: 1 / 3 };
  return [
    all,
    { ...all, counts: false },
    { ...all, squares: true, share: 1 / 3 },
    { ...all, algorithm: "weighted-collision-free", share: 1 / 3 },
    { ...slow, algorithm: "weighted-collision" },
    { ...slow, algorithm: "weighted-collision-reduced" },
  ];
}

/** The plain loop, which is the reference for the others. */
function loopOf(of: ShiftedTable, peer: Peer): Contestant {
  return {
    name: `js-loop, ${of.row.name}`,
    ...cellOf(of, of.features, "counts and sums", { algorithm: null, peer: "js-loop", threads: 1 }),
    call: () => peer.run(),
    wrong: async () => null,
    time: (ms) => ms as number,
  };
}

interface Workers {
  readonly table: FeatureTable;
  readonly weights: Float32Array;
  /** Counts and sums of all features in order, as the loop returns them. The loop has no squares. */
  readonly truth: readonly number[];
  readonly threads: number;
}

function workersOf(
  of: ShiftedTable,
  { algorithm, features, share, ...adds }: Request,
  { table, weights, truth, threads }: Workers,
): Contestant {
  const what = addsOf(adds);
  const some = of.all.slice(0, features);
  const variant = what === "counts and sums" ? undefined : what;
  return {
    ...{ name: `${algorithm}, ${what}, ${threads} threads, ${of.row.name}`, share },
    ...cellOf(of, features, what, { backend: "piscina", algorithm, variant, threads }),
    call: () => table.sums(weights, { algorithm, ...adds, features: some }),
    wrong: async (found) =>
      agrees(found as TableSums, truth) ? null : "expected the loop's counts and sums but received others",
    time: (found) => (found as TableSums).timings.totalMs,
  };
}

/** Whether all counts and sums have the same bits. */
function agrees({ counts, sums }: TableSums | TableSumsOnly, truth: readonly number[]): boolean {
  return sums.every((ofBins, feature) =>
    ofBins.every((sum, bin) => {
      const at = feature * 2 * BINS + bin;
      return sum === truth[at + BINS] && (counts === null || counts[feature]![bin] === truth[at]);
    }),
  );
}

/** The row and the size of a cell on some features. Values are bytes. */
function cellOf(
  { documents, place }: ShiftedTable,
  features: number,
  adds: Weighted["adds"],
  who: Pick<Row, "algorithm"> & Partial<Row>,
): Pick<Contestant, "row" | "bytes" | "values"> {
  const n = features * documents;
  const weighted = { features, documents, adds, precision: "reproducible", skip: false, plans: [] } as const;
  return { row: { ...place, ...who, n, residence: "resident", weighted }, bytes: n, values: n };
}

/** The factor of all workers together over one loop, on each distribution, for counts and sums. */
function overLoop(rows: readonly Row[]): object[] {
  return byDistribution(rows, (of) => {
    const theirs = of.find(({ peer }) => peer !== null)!;
    return Object.fromEntries(headline(of).map((row) => [`${row.threads} workers`, factor(row, theirs)]));
  });
}

function scaling(rows: readonly Row[]): object[] {
  return byDistribution(rows, (of) => {
    const [one, two] = [1, 2].map((count) => headline(of).find(({ threads }) => threads === count));
    return { factor: one && two ? factor(two, one) : null };
  });
}

function headline(rows: readonly Row[]): Row[] {
  return rows.filter(({ algorithm, variant }) => algorithm === "weighted-fixed-point" && !variant);
}

/** Returns the median of the factors of each round, because a disturbance affects both sides of a round. */
function factor(ours: Row, theirs: Row): number {
  return median(ours.ms.map((ms, round) => theirs.ms[round]! / ms));
}

function byDistribution(rows: readonly Row[], note: (of: readonly Row[]) => object): object[] {
  const groups = Map.groupBy(rows, ({ distribution }) => distribution);
  return [...groups].map(([distribution, of]) => ({ distribution, ...note(of) }));
}
