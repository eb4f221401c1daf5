import { type CellsInputs, limits } from "@polybin/core/backend";
import type { Values } from "../../kernels/index.ts";
import { own } from "../../platform/index.ts";
import type { Compiled, Context } from "../context.ts";
import type { ColumnsKernel } from "../prepare/cells/kernels.ts";
import type { CellsSteps } from "../prepare/cells/prepare.ts";
import { chunkCommands } from "./channels.ts";
import { type Command, placed } from "./commands.ts";
import type { Part, Place } from "./parts.ts";

const WORD_BITS: number = limits.WORD_BYTES * 8;

/** A count of columns that is ready to run. */
export interface CellsCount {
  readonly steps: CellsSteps;
  readonly compiled: Compiled;
  readonly inputs: DistinctInputs;
}

/** The list of selected samples on the device. */
export interface List {
  readonly buffer: GPUBuffer;
  readonly entries: number;
}

/** A part of the columns, or the entries of a list that lie in it. */
export interface PartOfList {
  readonly part: Part;
  /** Null: all samples are selected. */
  readonly list: List | null;
  /** Whether this is the first count of the part. */
  readonly isFirst: boolean;
}

/** Samples of a part, or entries of a list. */
interface Run extends PartOfList {
  readonly from: number;
  readonly count: number;
}

/** Returns the commands that count a part. Call this in an error scope. */
export function cellsCommands(
  context: Context,
  of: CellsCount,
  selected: PartOfList,
  counts: GPUBuffer,
): Command[] {
  const { steps, compiled } = of;
  const { buffers } = context;
  const { part, list, isFirst } = selected;
  const places = { nothing: buffers.nothing, counts: { buffer: counts } };
  const all = (isFirst ? part.fresh : []).flatMap(({ before, dense }) =>
    placed(before, { ...places, dense }),
  );
  const entries = list?.entries ?? part.pixels;
  // The buffer for cells has room for as many as are ever written at a time, so that it is created once.
  const bytes = Math.min(entries, steps.atOnce) * limits.WORD_BYTES;
  const cells = { buffer: steps.staged === null ? buffers.nothing.written : buffers.cells.of(bytes) };
  for (let from = 0; from < entries; from += steps.atOnce) {
    const count = Math.min(steps.atOnce, entries - from);
    const run = { ...selected, from, count };
    for (const columns of steps.columns) {
      all.push({
        ...{ kernel: columns.kernel, pipeline: compiled.get(columns.kernel)!, grid: columns.grid(count) },
        params: paramsOf(of, columns, run),
        resources: resourcesOf(context, of, columns, run, [cells, places.counts]),
      });
    }
    if (steps.staged === null) continue;
    const chunk = { data: cells, pixels: count, before: [], dense: null };
    all.push(...chunkCommands(context, steps.staged, compiled, chunk, counts));
  }
  return all;
}

function paramsOf({ steps, inputs }: CellsCount, columns: ColumnsKernel, run: Run): Values {
  const { part, list, from, count } = run;
  const { at } = steps.lookups();
  const places = columns.columns.map((column) => part.places[inputs.inputOf[column]!]!);
  const mask = inputs.maskInput === null ? null : part.places[inputs.maskInput]!;
  const isWhole = list === null && isAligned(columns, places, mask);
  return {
    ...columns.params,
    count: part.pixels,
    entries: count,
    firstEntry: from,
    base: part.begin,
    firstMask: mask?.first ?? 0,
    steps: isWhole ? Math.floor(count / columns.stepSamples) : 0,
    ...Object.fromEntries(
      columns.columns.flatMap((column, k) => [
        [`first_${k}`, places[k]!.first],
        [`lookupAt_${k}`, at[column]!],
      ]),
    ),
  };
}

function resourcesOf(
  { buffers }: Context,
  { steps, inputs }: CellsCount,
  { columns }: ColumnsKernel,
  { part, list }: Run,
  written: readonly GPUBufferBinding[],
): GPUBufferBinding[] {
  const nothing = { buffer: buffers.nothing.read };
  const samplesOf = (input: number | null | undefined): GPUBufferBinding => {
    if (input === null || input === undefined) return nothing;
    const { data, dense } = part.places[input]!.chunk;
    return typeof data === "string" ? { buffer: dense! } : data;
  };
  const bound = Array.from({ length: own.BOUND_COLUMNS }, (_, k) => columns[k]);
  const lookup = buffers.lookups.of(steps.lookups().all);
  return [
    ...bound.map((column) => samplesOf(column === undefined ? null : inputs.inputOf[column])),
    lookup === null ? nothing : { buffer: lookup },
    samplesOf(inputs.maskInput),
    list === null ? nothing : { buffer: list.buffer },
    ...written,
  ];
}

/** Whether whole vectors of all columns, and words of the mask, begin with a part's first sample. */
function isAligned(
  { stepSamples, pixelBytes }: ColumnsKernel,
  places: readonly Place[],
  mask: Place | null,
): boolean {
  if (stepSamples === 0) return false;
  const isMaskAligned = mask === null || mask.first % WORD_BITS === 0;
  return (
    isMaskAligned && places.every(({ first }, k) => (first * pixelBytes[k]!) % limits.VECTOR_BYTES === 0)
  );
}

/** The different inputs of a call, and the one of each column and of the mask. */
export interface DistinctInputs {
  readonly all: readonly CellsInputs["columns"][number][];
  readonly inputOf: readonly number[];
  readonly maskInput: number | null;
}

/** Returns the inputs of a call without repetitions: columns may be channels of the same pixels. */
export function distinct({ columns, mask }: CellsInputs): DistinctInputs {
  const all = [...new Set(columns)];
  const inputOf = columns.map((input) => all.indexOf(input));
  return { all: mask === null ? all : [...all, mask], inputOf, maskInput: mask === null ? null : all.length };
}
