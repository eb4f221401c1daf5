import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eachLine } from "../peers/program.ts";
import type { Bench } from "../runner/bench.ts";
import { throughput } from "../runner/statistics.ts";

/** Path of the program, next to the bundled one. */
const PROGRAM = fileURLToPath(new URL("./trish", import.meta.url));

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
export async function rowSums({ report, engine, options }: Bench, program: string = PROGRAM): Promise<void> {
  if (!existsSync(program)) {
    report.miss(
      `${ROW_SUMS}: expected ${program} but it does not exist; npm run gpu:bundle builds it for CUDA`,
    );
    return;
  }
  const n = Math.min(options.bytes, MOST_BYTES);
  const plan = await engine.supports({ algorithm: "trish", samples: n });
  if (typeof plan === "string") throw new Error(plan);
  const { blocks } = plan;
  const cells: RowSums["cells"][number][] = [];
  const args = [`--bytes=${n}`, `--blocks=${blocks}`, `--runs=${options.rounds}`];
  const failure = await eachLine(program, args, (text) => {
    const line = JSON.parse(text) as Line;
    cells.push({ ...line, gbps: throughput(n, line.ms) });
  });
  if (failure !== null) report.lose(ROW_SUMS, new Error(failure));
  if (cells.length === 0) return;
  report.note(ROW_SUMS, { n, blocks, cells } satisfies RowSums, { backend: "cuda", algorithm: "trish" });
  for (const { k, rowSums: sums, gbps } of cells) {
    console.log(`k=${k} ${sums ? "with" : "without"} row sums: ${gbps.toFixed(1)} GB/s`);
  }
}
