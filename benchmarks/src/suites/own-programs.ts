import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { throughput } from "../runner/statistics.ts";

// Kernels that count wrongly on purpose, which no plan launches. Programs have them, and compare what can be compared.

/** A line of peers/trish.cu: the Count kernel for one k. */
interface TrishLine {
  readonly k: number;
  readonly rowSums: boolean;
  readonly ms: readonly number[];
  readonly gbps: number;
}

/** TRISH's Count kernel with its row sums and without, which gives wrong counts. */
export interface RowSums {
  readonly n: number;
  readonly blocks: number;
  readonly cells: readonly TrishLine[];
}

/** The program counts everything in one launch. */
const MOST_BYTES = 2 ** 30;

/** The note with the measurements. */
export const ROW_SUMS = "Count with and without row sums (6.2), uniform";

/** Measures Brown & Snoeyink's first comparison of section 6.2 with peers/trish.cu. */
export async function rowSums(
  { report, engine, options }: Bench,
  program: () => string = () => compiled("trish"),
): Promise<void> {
  const n = Math.min(options.bytes, MOST_BYTES);
  const plan = await engine.supports({ algorithm: "trish", samples: n });
  if (typeof plan === "string") throw new Error(plan);
  const { blocks } = plan;
  const cells: TrishLine[] = [];
  const args = [`--bytes=${n}`, `--blocks=${blocks}`, `--runs=${options.rounds}`];
  await jsonLines<Omit<TrishLine, "gbps">>(
    report,
    ROW_SUMS,
    () => [program(), ...args],
    (line) => {
      const gbps = throughput(n, line.ms);
      cells.push({ ...line, gbps });
      console.log(`k=${line.k} ${line.rowSums ? "with" : "without"} row sums: ${gbps.toFixed(1)} GB/s`);
    },
  );
  if (cells.length === 0) return;
  report.note(ROW_SUMS, { n, blocks, cells } satisfies RowSums, { backend: "cuda", algorithm: "trish" });
}

/** A line of peers/collision.cu: the collision method with atomics or without. */
interface CollisionLine {
  readonly values: "uniform" | "equal";
  readonly precision: "reproducible" | "fast";
  readonly atomics: boolean;
  /** Share of the documents whose counts were lost. */
  readonly lost: number;
  readonly ms: readonly number[];
}

/** Section 6.2.1: 1,024 bins, 8 warps, no unrolling. */
const [BINS, WARPS] = [1024, 8];

/** The note with the measurements. */
export const WITHOUT_ATOMICS = "collision method with and without atomics (6.2.1)";

/** Measures Xu et al.'s collision method without atomics (6.2.1), which loses additions, with peers/collision.cu. */
export async function weightedAtomics(
  { engine, report, options }: Bench,
  [features, documents]: readonly [number, number] = [1024, 2 ** 17],
  program: () => string = () => compiled("collision"),
): Promise<void> {
  const [bins, warps] = [BINS, WARPS];
  const values = new Uint16Array(features * documents);
  await using table = await engine.table({ values, features, documents, bins });
  const algorithm = "weighted-collision";
  const { plans } = await table.sums(new Float32Array(documents), { algorithm, precision: "fast", warps });
  const { threads, segments, segmentDocuments, parameters } = plans[0]!;
  const shape = [features, documents, bins, threads, segments, segmentDocuments];
  const args = [...shape, parameters.unroll, options.rounds].map(String);
  const cells: (CollisionLine & { readonly gbps: number })[] = [];
  await jsonLines<CollisionLine>(
    report,
    WITHOUT_ATOMICS,
    () => [program(), ...args],
    (line) => {
      const gbps = throughput(values.byteLength, line.ms);
      cells.push({ ...line, gbps });
      const how = line.atomics ? "with" : `without (${(100 * line.lost).toFixed(1)}% lost)`;
      console.log(`${line.values}, ${line.precision}, ${how} atomics: ${gbps.toFixed(1)} GB/s`);
    },
  );
  if (cells.length === 0) return;
  const note = { features, documents, bins, warps, cells };
  report.note(WITHOUT_ATOMICS, note, { backend: "cuda", algorithm });
}
