import {
  finish,
  mergePartials,
  mergeTwo,
  type Part,
  type Task,
  type TaskResult,
  TWO_HEADS,
  type Two,
  VALUES_FORMAT,
} from "@polybin/cluster/shards";
import { isPolybinError, PolybinError, type SampleType, type Timings } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { beginsWith, columnName, printable } from "../base/index.ts";
import { checkOneFormat, parseView, refuse, type ViewOptions } from "../options/index.ts";
import {
  checkOutput,
  checkTargets,
  keptInputs,
  printJoint,
  printResult,
  printTable,
  type Result,
  type TableResult,
} from "../output/index.ts";
import { described, jointResult, readPart, readTwo, writePart, writeTwo } from "../tables/index.ts";
import { write } from "../terminal/index.ts";
import { isWeightedPart, mergeWeighted } from "../weighted/index.ts";

/** The options of `polybin merge` as they were typed. */
export interface MergeOptions extends ViewOptions {
  readonly out?: string;
}

/** The options that print a result. */
const PRINTING = ["json", "csv", "svg", "png", "scale", "percentiles", "stats"] as const;

/** A merged result without how it was counted. */
const NOBODY = { backend: null, device: null, algorithm: null, plan: null } as const;

/** `polybin merge PART…`. */
export async function merge(
  paths: readonly string[],
  options: MergeOptions,
  signal: AbortSignal,
): Promise<void> {
  const { json, csv, out } = options;
  checkOneFormat(options);
  const view = parseView(options);
  const kept = keptInputs(paths);
  if (await isWeightedPart(paths[0]!)) {
    refuse(options, "parts of polybin weighted", ["csv", "svg", "png", "scale", "percentiles", "stats"]);
    if (out !== undefined) refuse(options, "--out, which prints nothing,", ["json"]);
    const target = out === undefined ? null : await checkOutput(kept, "--out", out);
    return mergeWeighted(paths, { target, json: json === true });
  }
  if (await beginsWith(paths[0]!, TWO_HEADS)) {
    if (out === undefined) throw refuseProfile("compare");
    refuse(options, "--out, which prints nothing,", PRINTING);
    return writeTwo(await checkOutput(kept, "--out", out), await mergedTwo(paths, signal));
  }
  if (out !== undefined) {
    refuse(options, "--out, which prints nothing,", PRINTING);
    const target = await checkOutput(kept, "--out", out);
    return writePart(target, await mergedPart(paths, signal));
  }
  const printing = { view, byAuto: false, json, csv, ...(await checkTargets(kept, options)) };
  const start = performance.now();
  const { task, partial } = await mergedPart(paths, signal);
  const result = finish(task, partial);
  const totalMs = performance.now() - start;
  const timings: Timings = { readMs: totalMs, uploadMs: 0, kernelMs: 0, totalMs };
  if (result.count === "extent") return printExtents(result, task, options);
  if (result.count === "profile") {
    throw refuseProfile("profile");
  }
  if (result.count === "joint") {
    refuse(options, "polybin merge of a joint histogram", ["csv", "percentiles", "stats"], "has one axis");
    return printJoint(jointResult(task, result, timings, null, partial.of), printing);
  }
  const table: TableResult = {
    ...described(task),
    rows: result.rows,
    columns: result.columns,
    work: null,
    merged: partial.of,
    timings,
  };
  if (table.format === VALUES_FORMAT) return printResult(valuesResult(table), printing);
  return printTable(table, printing);
}

/** The error for parts that have no result on their own. */
const refuseProfile = (command: "profile" | "compare"): PolybinError =>
  new PolybinError(
    "ERR_UNSUPPORTED",
    `expected parts of polybin hist, joint or weighted but these are of polybin ${command}; --out merges them into one, which polybin ${command} takes with --after`,
  );

/** Merges the parts of files. */
const mergedPart = (paths: readonly string[], signal: AbortSignal): Promise<Part> =>
  merged(paths, readPart, signal, async (all, { partial }) => {
    const { task } = all;
    return { task, partial: await mergePartials([all.partial, partial], task) };
  });

/** Merges the parts of two tables that are compared. */
const mergedTwo = (paths: readonly string[], signal: AbortSignal): Promise<Two<Part>> =>
  merged(paths, readTwo, signal, mergeTwo);

/** Merges files that are read one after the other, so that memory holds two. @throws the error with the file's name */
async function merged<T>(
  [first, ...others]: readonly string[],
  read: (path: string) => Promise<T>,
  signal: AbortSignal,
  add: (all: T, next: T) => Promise<T>,
): Promise<T> {
  let all = await read(first!);
  for (const path of others) {
    signal.throwIfAborted();
    const next = await read(path);
    try {
      all = await add(all, next);
    } catch (error) {
      throw isPolybinError(error)
        ? new PolybinError(error.code, `${path}: ${error.message}`, { cause: error })
        : error;
    }
  }
  return all;
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
function valuesResult({ name, rows, columns, merged, timings }: TableResult): Result {
  const [{ column, groups }] = columns as readonly [TableResult["columns"][number]];
  const { type } = column.type as { readonly type: SampleType };
  const { histogram } = groups[0]!;
  return {
    input: { name, kind: "raw", type, samples: rows, width: null, height: null },
    channels: [{ name: column.name, histogram }],
    work: NOBODY,
    masked: null,
    timings,
    merged: merged!,
    bytes: rows * SAMPLE_TRAITS[type].bytes,
    damage: null,
  };
}
