import { Choice } from "../engine.ts";
import { countJoint, type JointResult } from "../joint.ts";
import { type JointOptions, type JointRequest, parseJoint } from "../joint-request.ts";
import { emptyLine } from "../output/empty.ts";
import { note, warn } from "../output/notes.ts";
import { checkTargets, type Kept } from "../output/targets.ts";
import { write } from "../output/write.ts";
import { progressBar } from "../progress.ts";

/** `polybin joint A B`. */
export async function joint(
  a: string,
  b: string | undefined,
  options: JointOptions,
  signal: AbortSignal,
): Promise<void> {
  const request = parseJoint(a, b, options);
  const { svg, png } = await checkTargets(inputsOf(request), options);
  const result = await counted(request, signal);
  if (svg !== null || png !== null) {
    const { jointSpecification } = await import("../output/joint-plot-spec.ts");
    const { writePlots } = await import("../output/plot.ts");
    await writePlots(jointSpecification(result, request.scale), svg, png);
  }
  const byAuto = request.backend === "auto";
  await write(await textOf(result, request, options));
  if (options.json) tellMachine(result, byAuto);
  for (const { input, damage } of result.columns.filter(isFirstOfPicture)) {
    if (damage !== null) {
      warn(`${input.name} is damaged; the part that could be decoded was counted: ${damage}`);
    }
  }
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

async function textOf(
  result: JointResult,
  { scale, backend }: JointRequest,
  { json }: JointOptions,
): Promise<string> {
  if (json) {
    const { jointJson } = await import("../output/joint-json.ts");
    return jointJson(result);
  }
  const { jointChart } = await import("../output/joint-chart.ts");
  return jointChart(result, { scale, byAuto: backend === "auto" });
}

function inputsOf({ columns, mask }: JointRequest): readonly Kept[] {
  return [
    ...columns.map(({ path }) => ({ path, is: "an input" })),
    ...(mask === null ? [] : [{ path: mask, is: "the file of --mask" }]),
  ];
}

/** Prints on stderr the notes of a chart, since stdout is for a program. */
function tellMachine({ columns, joint }: JointResult, byAuto: boolean): void {
  const [{ input }] = columns;
  if (input.samples === 0) warn(emptyLine(input.name));
  if (byAuto) note(`auto chose ${joint.backend} (${joint.device}), ${joint.algorithm}`);
}

/** Two channels of one picture have one damage. */
function isFirstOfPicture(
  { input, damage }: JointResult["columns"][number],
  i: number,
  columns: readonly JointResult["columns"][number][],
): boolean {
  return columns.findIndex((other) => other.input.name === input.name && other.damage === damage) === i;
}
