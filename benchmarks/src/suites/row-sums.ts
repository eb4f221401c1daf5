import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { throughput } from "../runner/statistics.ts";

/** A line of peers/trish.cu: the Count kernel for one k. */
interface Line {
  readonly k: number;
  readonly rowSums: boolean;
  readonly ms: readonly number[];
}

/** TRISH's Count kernel with its row sums and without, which gives wrong counts. */
export interface RowSums {
  readonly n: number;
  readonly blocks: number;
  readonly cells: readonly (Line & { readonly gbps: number })[];
}

/** The program counts everything in one launch. */
const MOST_BYTES = 2 ** 30;

/** The note with the measurements. */
export const ROW_SUMS = "Count with and without row sums (6.2), uniform";

/**
 * Measures section 6.2's first comparison with peers/trish.cu, because no plan leaves row sums out. The program compares
 * all counts first: exact ones, or ones that are too low by multiples of 256.
 */
export async function rowSums(
  { report, engine, options }: Bench,
  program: () => string = () => compiled("trish"),
): Promise<void> {
  const n = Math.min(options.bytes, MOST_BYTES);
  const plan = engine.supports({ algorithm: "trish", samples: n });
  if (typeof plan === "string") throw new Error(plan);
  const { blocks } = plan;
  const cells: RowSums["cells"][number][] = [];
  const args = [`--bytes=${n}`, `--blocks=${blocks}`, `--runs=${options.rounds}`];
  await jsonLines<Line>(
    report,
    ROW_SUMS,
    () => [program(), ...args],
    (line) => {
      cells.push({ ...line, gbps: throughput(n, line.ms) });
    },
  );
  if (cells.length === 0) return;
  report.note(ROW_SUMS, { n, blocks, cells } satisfies RowSums, { backend: "cuda", algorithm: "trish" });
  for (const { k, rowSums: sums, gbps } of cells) {
    console.log(`k=${k} ${sums ? "with" : "without"} row sums: ${gbps.toFixed(1)} GB/s`);
  }
}
