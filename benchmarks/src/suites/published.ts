import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rowBytes, type ValueType } from "@polybin/core/backend";
import { planeOf, samplePicture } from "../data/picture.ts";
import { compiled, type Program } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { peerRow } from "../runner/moved.ts";
import type { Row } from "../runner/row.ts";
import { Scope } from "../runner/scope.ts";
import { Profiler } from "./ncu.ts";
import { pgmOf, ppmOf } from "./pictures.ts";
import { METRICS, type Terms, termsOf } from "./table1-terms.ts";

/** A line of the programs in peers/published: a row without what follows from others. */
type Line = Omit<Row, "backend" | "algorithm" | "residence" | "gbps" | "ceilingPercent">;

/** A published kernel's counters, with the fields that name its row. */
export interface PublishedCounters extends Pick<Row, "peer" | "variant" | "bins" | "n" | "distribution"> {
  readonly figures: readonly string[];
  readonly terms: Terms;
}

/** The note with the counters of published kernels. */
export const PUBLISHED_COUNTERS = "counters of published kernels";

/** Rounds per cell of sums, few because there are hundreds of cells that take milliseconds. */
const SUMS_ROUNDS = 7;
/** Rounds per cell of a CPU, each up to a second with one thread. */
const CPU_ROUNDS = 7;

/** The figures whose cells are profiled, and the kernels of them that count. */
const PROFILED = [
  {
    program: "published_bytes",
    figure: "brown-snoeyink Table 1",
    kernels: "^(countTrish|countNugteren|histogram256)",
  },
  { program: "published_bytes", figure: "hardavellas Lab", kernels: "^countSlides" },
  // The paper's N_unroll, and the data of the plotted throughput.
  { program: "published_sums", figure: "xu Figure 7", kernels: "^sumFree" },
] as const satisfies readonly { program: Program; figure: string; kernels: string }[];

/**
 * Measures the papers' kernels as published: with each paper's launch, and with as many blocks as fit. Their programs for a
 * CPU follow, on this machine's.
 */
export async function published(bench: Bench): Promise<void> {
  const { rounds, pictures } = bench.options;
  await using scope = new Scope();
  const folders = [
    `--sample=${sampleIn(scope.folder())}`,
    ...(pictures === undefined ? [] : [`--pictures=${pictures}`]),
  ];
  await rowsOf(bench, "published_bytes", [`--runs=${rounds}`, ...folders]);
  await rowsOf(bench, "published_sums", [`--runs=${Math.min(rounds, SUMS_ROUNDS)}`]);
  await rowsOf(bench, "published_cpu", [`--runs=${Math.min(rounds, CPU_ROUNDS)}`]);
  const profiler = await Profiler.open(bench.report, "published kernels", METRICS);
  if (profiler === null) return;
  const counters: PublishedCounters[] = [];
  for (const { program, figure, kernels } of PROFILED) {
    if (!bench.hasTime(`${PUBLISHED_COUNTERS}, ${figure}`)) continue;
    const args = ["--runs=0", `--figure=${figure}`];
    const lines: Line[] = [];
    const command = () => [compiled(program), ...args] as const;
    await jsonLines<Line>(bench.report, figure, command, (line) => lines.push(line));
    const launches = lines.length === 0 ? null : await profiler.launches(figure, command(), kernels);
    if (launches === null) continue;
    if (launches.length !== lines.length) {
      bench.report.miss(`${figure}: expected ${lines.length} launches but ncu reported ${launches.length}`);
      continue;
    }
    // The program launches its kernels in the order of its lines.
    counters.push(...lines.map((line, i) => countersOf(line, termsOf(launches[i]!, bytesOf(line)))));
    bench.report.note(PUBLISHED_COUNTERS, counters);
  }
}

/** Writes the green plane and all channels of the sample picture, as the program reads them. Returns the folder. */
function sampleIn(folder: string): string {
  const { width, height, rgb } = samplePicture();
  const name = "picture";
  writeFileSync(
    join(folder, `${name}.pgm`),
    pgmOf({ name, width, height, bytes: planeOf(samplePicture(), 1) }),
  );
  writeFileSync(join(folder, `${name}.ppm`), ppmOf({ name, width, height, bytes: rgb }));
  return folder;
}

function countersOf(line: Line, terms: Terms): PublishedCounters {
  const { peer, variant, bins, n, distribution, published } = line;
  return { peer, variant, bins, n, distribution, figures: published!.figures, terms };
}

function bytesOf({ type, n }: Pick<Row, "type" | "n">): number {
  return rowBytes(type as ValueType, n);
}

/** Runs a program and adds its rows. A kernel that is wrong, but not on purpose, fails the run. */
async function rowsOf(bench: Bench, program: Program, args: readonly string[]): Promise<void> {
  if (!bench.hasTime(program)) return;
  const { report } = bench;
  const command = () => [compiled(program), ...args] as const;
  await jsonLines<Line>(report, program, command, (line) => {
    if (line.exact || line.published!.wrong !== undefined) {
      report.add(peerRow({ ...line, bytes: bytesOf(line) }));
      return;
    }
    report.miss(`${line.peer}, ${line.variant}, ${line.bins} bins, ${line.distribution}: NOT EXACT`);
    process.exitCode = 1;
  });
}
