import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { integer, regular, type SampleType, variable } from "@polybin/core";
import { lower, type OrderedAxis } from "@polybin/core/backend";
import { combinations } from "../data/combinations.ts";
import { DISTRIBUTIONS } from "../data/distributions.ts";
import { planeOf, samplePicture } from "../data/picture.ts";
import { type CubLine, CubLines, ratios } from "../peers/cub-lines.ts";
import { jobText } from "../peers/job.ts";
import { compiled } from "../programs/compiled.ts";
import { jsonLines } from "../programs/lines.ts";
import type { Bench } from "../runner/bench.ts";
import { Scope } from "../runner/scope.ts";

const EDGES: readonly number[] = Array.from({ length: 257 }, (_, i) => i / 256);

/** The types of peers/cub.cu as described to the engine. */
const TYPES: Readonly<Record<string, { type: SampleType; axis: OrderedAxis; channels: number }>> = {
  u8: { type: "u8", axis: integer(0, 256), channels: 1 },
  u16: { type: "u16", axis: integer(0, 1024), channels: 1 },
  wide: { type: "u16", axis: integer(0, 65_536), channels: 1 },
  f32: { type: "f32", axis: regular(256, 0, 1), channels: 1 },
  range: { type: "f32", axis: variable(EDGES), channels: 1 },
  rgba: { type: "u8", axis: integer(0, 256), channels: 3 },
};

/** One run of the program, with all combinations. */
interface Run {
  readonly types: readonly string[];
  readonly log2n: readonly number[];
  readonly distributions: readonly string[];
}

/** Runs for every size on uniform data, every distribution and every type. */
const RUNS: readonly Run[] = [
  { types: ["u8"], log2n: Array.from({ length: 20 }, (_, i) => 13 + i), distributions: ["uniform"] },
  {
    types: ["u8"],
    log2n: [30],
    distributions: ["zeros", "gauss", "ramp", "two", "smooth", "zipf", "sorted", "picture"],
  },
  {
    types: ["u16", "wide", "f32", "range", "rgba"],
    log2n: [28, 30],
    distributions: ["uniform", "zeros", "gauss", "ramp"],
  },
];

/** Measures CUB's DeviceHistogram, per-lane and the read-only ceiling in one process, peers/cub.cu. */
export async function cub(bench: Bench): Promise<void> {
  await runsOf(bench, RUNS);
  console.log(ratios(bench.report.rows).join("\n"));
}

/** Measures the same for bytes only. @param uniform, others exponents of the sizes for uniform data and other distributions */
export async function cubKernels(
  bench: Bench,
  uniform: readonly number[],
  others: readonly number[],
): Promise<void> {
  const [, ...rest] = DISTRIBUTIONS;
  await runsOf(bench, [
    { types: ["u8"], log2n: uniform, distributions: ["uniform"] },
    { types: ["u8"], log2n: others, distributions: rest },
  ]);
}

async function runsOf(bench: Bench, runs: readonly Run[]): Promise<void> {
  await using scope = new Scope();
  const scratch = scope.folder();
  const picture = join(scratch, "picture");
  writeFileSync(picture, planeOf(samplePicture(), 1));
  for (const { types, log2n, distributions } of runs) {
    const what = `cub ${types.join(",")}, ${distributions.join(",")}`;
    if (!bench.hasTime(what)) continue;
    const lines = new CubLines();
    const args = [
      `--types=${types.join(",")}`,
      `--log2n=${log2n.join(",")}`,
      `--distributions=${distributions.join(",")}`,
      `--picture=${picture}`,
      `--runs=${bench.options.rounds}`,
      `--seconds=${bench.secondsLeft}`,
      ...(await Promise.all(
        combinations<Job>({ name: types, exponent: log2n }).map((one) => jobArgument(bench, scratch, one)),
      )),
    ];
    await jsonLines<CubLine>(
      bench.report,
      what,
      () => [compiled("cub"), ...args],
      (line) => bench.report.add(lines.row(line)),
    );
  }
}

interface Job {
  readonly name: string;
  readonly exponent: number;
}

/** Writes core's plan for per-lane to a file, so that the comparison launches what the library launches. */
async function jobArgument({ engine }: Bench, scratch: string, { name, exponent }: Job): Promise<string> {
  const { type, axis, channels } = TYPES[name]!;
  const request = { algorithm: "per-lane", type, axis, samples: 2 ** exponent, channels };
  const plan = await engine.supports(request);
  if (typeof plan === "string") throw new Error(plan);
  const file = join(scratch, `${name}-${exponent}`);
  writeFileSync(file, jobText(lower(axis, type), plan));
  return `--job=${name}/${exponent}=${file}`;
}
