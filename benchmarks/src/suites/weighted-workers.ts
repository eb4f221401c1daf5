import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FeatureTable,
  openEngine,
  type SumsOptions,
  type TableSums,
  type TableSumsOnly,
} from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { rowOf } from "../data/feature-rows.ts";
import { ShiftedTable, weightsOf } from "../data/feature-table.ts";
import { type Peer, weightedJsPeer } from "../peers/process.ts";
import type { Contest, RowHead } from "../runner/contest.ts";
import { machineFile } from "../runner/machine.ts";
import { print } from "../runner/print.ts";
import { progressLine } from "../runner/progress.ts";
import { Report } from "../runner/report.ts";
import type { Row, Weighted } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";

const BINS = 256;
/** Number of features for the algorithms with atomics, which take fifty times as long per document. */
const SOME = 4;

/** One request to the workers. */
interface Ask extends Pick<SumsOptions, "counts" | "squares"> {
  readonly algorithm: `weighted-${"fixed-point" | "collision-free" | "collision" | "collision-reduced"}`;
  readonly features: number;
  readonly share: number;
}

/** Counts and sums of all features in order, as the loop returns them. The loop has no squares. */
type Numbers = readonly number[];

/**
 * Measures whole calls of weighted sums on the worker pool, and the plain JavaScript loop over the same table of bytes. All
 * alternate in every round. Every cell is compared with the loop, whose doubles are exact for these weights.
 */
export async function benchWeighted(
  features = 256,
  documents: number = 2 ** 20,
  rounds = 11,
  threads: readonly number[] = [1, 2],
): Promise<string> {
  const before = loadavg();
  const file = machineFile("weighted");
  const report = new Report(file, null);
  await measureWeighted(report, features, documents, rounds, threads);
  const { rows } = report;
  report.note("over the plain loop", overLoop(rows));
  report.note("2 workers over 1", scaling(rows));
  // Averages over 1, 5 and 15 minutes, which show other load on the cores.
  report.note("load average", { before, after: loadavg() });
  print(report.results());
  return file;
}

/** Measures the rows. */
export async function measureWeighted(
  report: Report,
  features: number,
  documents: number,
  rounds: number,
  threads: readonly number[],
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "polybin-bench-"));
  const file = (name: string) => join(scratch, name);
  const weights = weightsOf(documents);
  writeFileSync(file("weights"), weights);
  const memory = new Uint8Array(features * documents);
  const peer = weightedJsPeer(file("values"), file("weights"), features, BINS);
  const engines = await Promise.all(
    threads.map((count) => openEngine({ backend: piscina({ threads: count }) })),
  );
  const { show, clear } = progressLine();
  const asks = asksFor(features);
  try {
    for (const distribution of DISTRIBUTIONS) {
      show(`weighted: ${distribution}`);
      const of = new ShiftedTable(rowOf(distribution, BINS, documents), "u8", features);
      const init = of.init(of.all, memory);
      writeFileSync(file("values"), memory);
      await peer.load();
      await peer.run();
      const truth = await peer.counts();
      const tables = await Promise.all(engines.map((engine) => engine.table(init)));
      const contestants = [
        ofLoop(of, peer),
        ...tables.flatMap((table, i) => asks.map((ask) => ours(of, ask, threads[i]!, table, weights, truth))),
      ];
      await measureInTurns(report, contestants, { rounds });
      await Promise.all(tables.map((table) => table.free()));
    }
  } finally {
    clear();
    for (const engine of engines) await engine.close();
    peer.close();
    rmSync(scratch, { recursive: true });
  }
}

function asksFor(features: number): Ask[] {
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

function ofLoop(of: ShiftedTable, peer: Peer): Contestant {
  return {
    name: `js-loop, ${of.row.name}`,
    isPeer: true,
    open: (): Contest<number> => ({
      call: () => peer.run(),
      // It is the reference for the others.
      wrong: async () => null,
      time: (ms) => ms,
      row: () => ({
        backend: null,
        algorithm: null,
        peer: "js-loop",
        ...placeOf(of, of.features, 1),
        weighted: weightedOf(of, of.features, "counts and sums"),
      }),
      ...sizeOf(of, of.features),
    }),
  };
}

function ours(
  of: ShiftedTable,
  { algorithm, features, counts, squares, share }: Ask,
  threads: number,
  table: FeatureTable,
  weights: Float32Array,
  truth: Numbers,
): Contestant {
  const adds = counts === false ? "sums" : squares ? "counts, sums and squares" : "counts and sums";
  const some = of.all.slice(0, features);
  return {
    name: `${algorithm}, ${adds}, ${threads} threads, ${of.row.name}`,
    share,
    open: (): Contest<TableSums | TableSumsOnly> => ({
      call: () => table.sums(weights, { algorithm, counts, squares, features: some }),
      wrong: async (found) =>
        agrees(found, truth) ? null : "expected the loop's counts and sums but received others",
      time: ({ timings }) => timings.totalMs,
      row: () => ({
        backend: "piscina",
        algorithm,
        ...(adds === "counts and sums" ? {} : { variant: adds }),
        ...placeOf(of, features, threads),
        weighted: weightedOf(of, features, adds),
      }),
      ...sizeOf(of, features),
    }),
  };
}

/** Sizes of a table whose values are bytes. */
function sizeOf(of: ShiftedTable, features: number): Pick<Contest, "bytes" | "values" | "ceiling"> {
  const values = features * of.documents;
  return { bytes: values, values, ceiling: null };
}

/** Whether all counts and sums have the same bits. */
function agrees({ counts, sums }: TableSums | TableSumsOnly, truth: Numbers): boolean {
  return sums.every((ofBins, feature) =>
    ofBins.every((sum, bin) => {
      const at = feature * 2 * BINS + bin;
      return sum === truth[at + BINS] && (counts === null || counts[feature]![bin] === truth[at]);
    }),
  );
}

function placeOf(
  of: ShiftedTable,
  features: number,
  threads: number,
): Omit<RowHead, "backend" | "algorithm" | "peer"> {
  return {
    residence: "resident",
    threads,
    type: of.type,
    bins: BINS,
    n: features * of.documents,
    distribution: of.row.name,
  };
}

function weightedOf(of: ShiftedTable, features: number, adds: Weighted["adds"]): Weighted {
  return { features, documents: of.documents, adds, precision: "reproducible", skip: false, plans: [] };
}

/** The factor of all workers together over one loop, on each distribution, for counts and sums. */
function overLoop(rows: readonly Row[]): object[] {
  return byDistribution(rows, (of, distribution) => {
    const theirs = of.find(({ peer }) => peer !== null)!;
    const factors = headline(of).map((row) => [`${row.threads} workers`, factor(row, theirs)]);
    return { distribution, ...Object.fromEntries(factors) };
  });
}

function scaling(rows: readonly Row[]): object[] {
  return byDistribution(rows, (of, distribution) => {
    const [one, two] = [1, 2].map((count) => headline(of).find(({ threads }) => threads === count));
    return { distribution, factor: one && two ? factor(two, one) : null };
  });
}

function headline(rows: readonly Row[]): Row[] {
  return rows.filter(({ algorithm, variant }) => algorithm === "weighted-fixed-point" && !variant);
}

/** Returns the median of the factors of each round, because a disturbance affects both sides of a round. */
function factor(ours: Row, theirs: Row): number {
  return median(ours.ms.map((ms, round) => theirs.ms[round]! / ms));
}

function byDistribution(
  rows: readonly Row[],
  note: (of: readonly Row[], distribution: string) => object,
): object[] {
  return [...Map.groupBy(rows, ({ distribution }) => distribution)].map(([name, of]) => note(of, name));
}
