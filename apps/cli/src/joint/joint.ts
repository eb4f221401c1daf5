import { PolybinError } from "@polybin/core";
import { Choice } from "../engine/index.ts";
import { placesOf } from "../input/index.ts";
import { dashed, givenShard, parseView, refuseReading } from "../options/index.ts";
import { checkTargets, type JointResult, type Kept, keptInputs, printJoint } from "../output/index.ts";
import { progressBar, tellDamage } from "../terminal/index.ts";
import { countJoint } from "./count.ts";
import { type JointOptions, type JointRequest, parseJoint } from "./request.ts";

/** `polybin joint A B`. */
export async function joint(
  files: readonly string[],
  options: JointOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.columns !== undefined) return jointOfTables(await placesOf(files, signal), options, signal);
  checkUnsharded(options);
  const request = parseJoint(files, options);
  const targets = await checkTargets(inputsOf(request), options);
  const result = await counted(request, signal);
  const { view, backend } = request;
  await printJoint(result, { view, byAuto: backend === "auto", json: options.json, ...targets });
  for (const { input, damage } of result.columns.filter(isFirstOfPicture)) {
    if (damage !== null) tellDamage(input.name, damage);
  }
}

/** `polybin joint TABLE… --columns X,Y`. */
async function jointOfTables(
  paths: readonly string[],
  options: JointOptions,
  signal: AbortSignal,
): Promise<void> {
  const view = parseView(options);
  const targets = await checkTargets(keptInputs(paths), options);
  const { tableJoint } = await import("./table.ts");
  const result = await tableJoint(paths, options, signal);
  if (result === null) return;
  await printJoint(result, { view, byAuto: options.backend === "auto", json: options.json, ...targets });
}

/** @throws ERR_INPUT for options of tables without one */
function checkUnsharded(options: JointOptions): void {
  refuseReading(options, "--columns");
  const given = givenShard(options);
  if (given === null) return;
  throw new PolybinError("ERR_INPUT", `expected --columns with --${dashed(given)}, which is for tables`);
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
