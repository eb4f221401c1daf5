import { availableParallelism } from "node:os";
import { cpu, type Engine, openEngine, type TableSums } from "@polybin/core";
import { multithreaded } from "@polybin/core/multithreaded";
import { piscina } from "@polybin/piscina";
import { fill } from "../data/distributions.ts";
import { normalRow, typeFor } from "../data/feature-rows.ts";
import { judge, ShiftedTable, truthOf, weightsOf } from "../data/feature-table.ts";
import { differenceOf } from "../data/tile.ts";
import type { Report } from "../runner/report.ts";
import { Scope } from "../runner/scope.ts";
import { type Contestant, measureInTurns } from "../runner/turns.ts";
import type { HostOptions } from "./host-options.ts";

/** Sizes of the figures that the papers measure on a CPU. Contestants alternate. */
export interface CpuSize {
  /** Bytes of the Handbook's scaling. */
  readonly bytes: number;
  /** Features and documents of Xu et al.'s Table 4. */
  readonly features: number;
  readonly documents: number;
  readonly rounds: number;
}

/** The sizes of a whole run, and of a quick one. */
export const CPU_SIZE: CpuSize = { bytes: 2 ** 28, features: 16, documents: 2 ** 20, rounds: 11 };
export const QUICK_CPU: CpuSize = { bytes: 2 ** 26, features: 16, documents: 2 ** 17, rounds: 5 };

/** Measures the papers' figures of a CPU: the Handbook's scaling and Xu et al.'s Table 4. */
export async function papersCpu(report: Report, { quick, hasTime }: HostOptions): Promise<void> {
  const size = quick ? QUICK_CPU : CPU_SIZE;
  if (hasTime("the Handbook's scaling")) await scaling(report, size);
  if (hasTime("Xu et al.'s Table 4")) await table4(report, size);
}

/** Data so small that a call only forks and joins. */
export const FEW_BYTES: number = 2 ** 12;

/** Lists 1, 2, 4 … and the number of available threads. */
function threadCounts(most: number = availableParallelism()): number[] {
  const counts = [most];
  for (let count = 1; count < most; count *= 2) counts.push(count);
  return counts.sort((a, b) => a - b);
}

/** Measures the Handbook's fork, privatize and join by threads, in JavaScript and on the pool. */
export async function scaling(report: Report, { bytes, rounds }: CpuSize): Promise<void> {
  const whole = new Uint8Array(new SharedArrayBuffer(bytes));
  fill(whole, "uniform");
  const few = whole.subarray(0, FEW_BYTES);
  await using oracle = await openEngine({ backend: cpu() });
  const truths = new Map<Uint8Array, Float64Array>();
  for (const data of [whole, few]) truths.set(data, (await oracle.histogram(data)).counts);
  const cell = (engine: Engine, algorithm: string, threads: number, data = whole): Contestant => {
    const truth = truths.get(data)!;
    const [backend, n] = [engine.backend, data.length];
    return {
      name: `${backend} ${algorithm}, ${threads} threads, ${n} bytes`,
      row: {
        ...{ backend, algorithm, type: "u8", bins: truth.length, n, threads },
        ...{ distribution: "uniform", residence: "resident" },
      },
      bytes: n,
      call: () => engine.histogram(data, { algorithm }),
      wrong: async (found) => differenceOf(truth, (found as { counts: Float64Array }).counts),
    };
  };
  await using scope = new Scope();
  const cells: Contestant[] = [];
  for (const threads of threadCounts()) {
    const [forked, pool] = await Promise.all(
      [multithreaded({ threads }), piscina({ threads })].map(async (backend) =>
        scope.own(await openEngine({ backend })),
      ),
    );
    cells.push(cell(forked!, "multithreaded", threads), cell(forked!, "multithreaded", threads, few));
    cells.push(cell(pool!, "per-thread", threads), cell(pool!, "per-lane", threads));
  }
  await measureInTurns(report, cells, { rounds });
}

/** Numbers of bins whose values take half a byte, one byte and two bytes. */
const TABLE_4_BINS = [16, 256, 1024];

/** Measures Xu et al.'s Table 4: the plain loop over values of each size, and the pool by threads. */
export async function table4(report: Report, { features, documents, rounds }: CpuSize): Promise<void> {
  await using loop = await openEngine({ backend: cpu() });
  const weights = weightsOf(documents);
  for (const bins of TABLE_4_BINS) {
    const values = normalRow(Number.POSITIVE_INFINITY, bins, documents);
    const of = new ShiftedTable(values, typeFor(bins), features);
    const truth = await truthOf(loop, of, weights);
    await using scope = new Scope();
    const weighted = {
      ...({ features, documents, adds: "counts and sums", precision: "reproducible", skip: false } as const),
      ...{ figures: ["Table 4"], plans: [] },
    };
    const cell = async (
      engine: Engine,
      algorithm: "weighted-sequential" | "weighted-fixed-point",
      threads: number,
    ): Promise<Contestant> => {
      const table = scope.own(await engine.table(of.init()));
      const { backend } = engine;
      return {
        name: `${backend} ${algorithm}, ${of.type}, ${threads} threads`,
        row: { backend, algorithm, ...of.place, residence: "resident", threads, weighted },
        ...{ bytes: of.bytes, values: of.place.n },
        call: () => table.sums(weights, { algorithm }),
        wrong: async (found) => judge(found as TableSums, truth).wrong,
        time: (found) => (found as TableSums).timings.totalMs,
      };
    };
    const cells = [await cell(loop, "weighted-sequential", 1)];
    for (const threads of threadCounts()) {
      const pool = scope.own(await openEngine({ backend: piscina({ threads }) }));
      cells.push(await cell(pool, "weighted-fixed-point", threads));
    }
    await measureInTurns(report, cells, { rounds });
  }
}
