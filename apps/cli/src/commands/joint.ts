import type { Scale } from "@polybin/columns/plots";
import { PolybinError } from "@polybin/core";
import { Choice } from "../engine.ts";
import { countJoint, type JointResult } from "../joint.ts";
import { type JointOptions, type JointRequest, parseJoint } from "../joint-request.ts";
import { tellMachine, warn } from "../output/notes.ts";
import { checkTargets, type Kept, keptInputs, type Target } from "../output/targets.ts";
import { write } from "../output/write.ts";
import { progressBar } from "../progress.ts";
import { dashed, refuseReading } from "../tables/reading.ts";
import { parseView } from "../view.ts";

/** `polybin joint A B`. */
export async function joint(
  files: readonly string[],
  options: JointOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.columns !== undefined) return jointOfTables(files, options, signal);
  checkUnsharded(options);
  const request = parseJoint(files, options);
  const targets = await checkTargets(inputsOf(request), options);
  const result = await counted(request, signal);
  await printJoint(result, {
    scale: request.scale,
    byAuto: request.backend === "auto",
    json: options.json,
    ...targets,
  });
  for (const { input, damage } of result.columns.filter(isFirstOfPicture)) {
    if (damage !== null) {
      warn(`${input.name} is damaged; the part that could be decoded was counted: ${damage}`);
    }
  }
}

/** `polybin joint TABLE… --columns X,Y`. */
async function jointOfTables(
  paths: readonly string[],
  options: JointOptions,
  signal: AbortSignal,
): Promise<void> {
  const { scale } = parseView(options);
  const targets = await checkTargets(keptInputs(paths), options);
  const { tableJoint } = await import("../tables/joint.ts");
  const result = await tableJoint(paths, options, signal);
  if (result === null) return;
  await printJoint(result, { scale, byAuto: options.backend === "auto", json: options.json, ...targets });
}

/** @throws ERR_INPUT for options of tables without one */
function checkUnsharded(options: JointOptions): void {
  refuseReading(options, "--columns");
  for (const name of ["shard", "extent", "extentFrom", "out"] as const) {
    if (options[name] === undefined) continue;
    throw new PolybinError("ERR_INPUT", `expected --columns with --${dashed(name)}, which is for tables`);
  }
}

/** How a joint histogram is shown. */
export interface JointPrinting {
  readonly scale: Scale | null;
  readonly byAuto: boolean;
  readonly json: boolean | undefined;
  readonly svg: Target | null;
  readonly png: Target | null;
}

/** Draws the plots of a joint histogram and prints it. */
export async function printJoint(result: JointResult, printing: JointPrinting): Promise<void> {
  const { scale, byAuto, json, svg, png } = printing;
  if (svg !== null || png !== null) {
    const { jointSpecification } = await import("../output/joint-plot-spec.ts");
    const { writePlots } = await import("../output/plot.ts");
    await writePlots(jointSpecification(result, scale), svg, png);
  }
  await write(await textOf(result, printing));
  if (json) tellMachine(result.columns[0].input, result.work, byAuto);
}

async function counted(request: JointRequest, signal: AbortSignal): Promise<JointResult> {
  const { backend, threads, algorithm, columns } = request;
  await using choice = await Choice.of({ backend, threads, algorithm, segments: null, joint: true });
  const { watch, clear } = await progressBar(columns[0].path, "B");
  try {
    return await countJoint(request, choice, signal, watch);
  } finally {
    clear();
  }
}

async function textOf(result: JointResult, { scale, byAuto, json }: JointPrinting): Promise<string> {
  if (json) {
    const { jointJson } = await import("../output/joint-json.ts");
    return jointJson(result);
  }
  const { jointChart } = await import("../output/joint-chart.ts");
  return jointChart(result, { scale, byAuto });
}

function inputsOf({ columns, mask }: JointRequest): readonly Kept[] {
  return [
    ...columns.map(({ path }) => ({ path, is: "an input" })),
    ...(mask === null ? [] : [{ path: mask, is: "the file of --mask" }]),
  ];
}

/** Two channels of one picture have one damage. */
function isFirstOfPicture(
  { input, damage }: JointResult["columns"][number],
  i: number,
  columns: readonly JointResult["columns"][number][],
): boolean {
  return columns.findIndex((other) => other.input.name === input.name && other.damage === damage) === i;
}
