import {
  finish,
  mergePartials,
  type Part,
  type Task,
  type TaskResult,
  VALUES_FORMAT,
} from "@polybin/cluster/shards";
import { isPolybinError, PolybinError, type SampleType, type Timings } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { checkOutput, checkTargets, keptInputs } from "../output/targets.ts";
import { columnName, printable } from "../output/words.ts";
import { write } from "../output/write.ts";
import type { Result } from "../result.ts";
import { statsOf } from "../stats.ts";
import { parseView, type View, type ViewOptions } from "../view.ts";
import { readPart, writePart } from "./part.ts";
import { printTable } from "./print.ts";
import { refuse } from "./request.ts";
import { described, type TableResult } from "./result.ts";

/** The options of `polybin merge` as they were typed. */
export interface MergeOptions extends ViewOptions {
  readonly out?: string;
}

/** A merged result without how it was counted. */
const NOBODY = { backend: null, device: null, algorithm: null, plan: null } as const;

/** `polybin merge PART…`. */
export async function merge(
  paths: readonly string[],
  options: MergeOptions,
  signal: AbortSignal,
): Promise<void> {
  const { json, csv, out } = options;
  if (json && csv) throw new PolybinError("ERR_INPUT", "expected either --json or --csv but received both");
  const view = parseView(options);
  const kept = keptInputs(paths);
  if (out !== undefined) {
    refusePrinting(options);
    const target = await checkOutput(kept, "--out", out);
    return writePart(target, await mergedPart(paths, signal));
  }
  const { svg, png } = await checkTargets(kept, options);
  const start = performance.now();
  const { task, partial } = await mergedPart(paths, signal);
  const result = finish(task, partial);
  const totalMs = performance.now() - start;
  const timings: Timings = { readMs: totalMs, uploadMs: 0, kernelMs: 0, totalMs };
  if (result.count === "extent") return printExtents(result, task, options);
  if (result.count === "profile") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "expected parts of polybin hist or joint but these are of a profile; --out merges them into one",
    );
  }
  if (result.count === "joint") {
    refuse(options, "polybin merge of a joint histogram", ["csv", "percentiles", "stats"], "has one axis");
    const { printJoint } = await import("../commands/joint.ts");
    const { jointResult } = await import("./joint.ts");
    const joint = jointResult(task, result, timings, null, partial.of);
    return printJoint(joint, { scale: view.scale, byAuto: false, json, svg, png });
  }
  const table: TableResult = {
    ...described(task),
    rows: result.rows,
    columns: result.columns,
    work: null,
    merged: partial.of,
    timings,
  };
  if (table.format !== VALUES_FORMAT) return printTable(table, { view, byAuto: false, options, svg, png });
  const values = valuesResult(table, view);
  if (svg !== null || png !== null) {
    const { specification } = await import("../output/plot-spec.ts");
    const { writePlots } = await import("../output/plot.ts");
    await writePlots(specification(values, view.scale), svg, png);
  }
  await write(await valuesText(values, view, options));
}

/** Merges the parts of files, which stay readable one after the other, so that memory holds two. */
async function mergedPart(paths: readonly string[], signal: AbortSignal): Promise<Part> {
  let all = await readPart(paths[0]!);
  for (const path of paths.slice(1)) {
    signal.throwIfAborted();
    const { task } = all;
    const { partial } = await readPart(path);
    try {
      all = { task, partial: await mergePartials([all.partial, partial], task) };
    } catch (error) {
      throw isPolybinError(error)
        ? new PolybinError(error.code, `${path}: ${error.message}`, { cause: error })
        : error;
    }
  }
  return all;
}

function refusePrinting(options: MergeOptions): void {
  for (const name of ["json", "csv", "svg", "png", "scale", "percentiles", "stats"] as const) {
    if (options[name] === undefined || options[name] === false) continue;
    throw new PolybinError(
      "ERR_INPUT",
      `expected either --out, which prints nothing, or --${name} but received both`,
    );
  }
}

/** Extents are printed as lines, or as one object of JSON, in which integers that no double holds are digits. */
async function printExtents(
  { rows, extents }: Extract<TaskResult, { readonly count: "extent" }>,
  { columns }: Task,
  { json, csv, svg, png }: MergeOptions,
): Promise<void> {
  if (csv || svg !== undefined || png !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected --json or --out with extents, which have no counts");
  }
  const found = [...extents].map(([name, { min, max }]) => {
    const { type } = columns.find((column) => column.name === name)!;
    return { name, type, range: min <= max ? [min, max].map(endOf) : null };
  });
  if (json) {
    const ends = found.map(({ name, range }) => ({ name, range }));
    return write(`${printable(JSON.stringify({ rows, columns: ends }))}\n`);
  }
  const { valueText } = await import("@polybin/columns/profile");
  const lines = found.map(({ name, type, range }) => {
    if (range === null) return `${columnName(name)}: no finite values\n`;
    const [min, max] = range.map((end) => valueText(type, end));
    return `${columnName(name)}: ${min} to ${max}\n`;
  });
  return write(lines.join(""));
}

/** An integer of 64 bits as a number, or as its digits if no double holds it. */
function endOf(end: number | bigint): number | string {
  if (typeof end === "number") return end;
  const near = Number(end);
  return Number.isSafeInteger(near) ? near : String(end);
}

/** Plain values, as `polybin hist` describes them. */
function valuesResult({ name, rows, columns, merged, timings }: TableResult, { stats }: View): Result {
  const [{ column, groups }] = columns as readonly [TableResult["columns"][number]];
  const { type } = column.type as { readonly type: SampleType };
  const { histogram } = groups[0]!;
  return {
    input: { name, kind: "raw", type, samples: rows, width: null, height: null },
    channels: [{ name: column.name, histogram, ...(stats && { stats: statsOf(histogram) }) }],
    work: NOBODY,
    masked: null,
    timings,
    merged: merged!,
    bytes: rows * SAMPLE_TRAITS[type].bytes,
    damage: null,
  };
}

async function valuesText(result: Result, view: View, { json, csv }: MergeOptions): Promise<string> {
  if (json) {
    const { toJson } = await import("../output/json.ts");
    return toJson(result, view);
  }
  if (csv) {
    const { toCsv } = await import("../output/csv.ts");
    return toCsv(result);
  }
  const { toChart } = await import("../output/chart.ts");
  return toChart(result, { view, byAuto: false });
}
