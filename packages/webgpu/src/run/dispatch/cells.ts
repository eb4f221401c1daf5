import { type CellsInputs, limits } from "@polybin/core/backend";
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

/** A part of the columns, or the entries of a list that lie in it. */
export interface PartOfList {
  readonly part: Part;
  /** Entries of the list, which lies in the buffer for it. Null: all samples are selected. */
  readonly list: number | null;
  /** Whether this is the first count of the part. */
  readonly isFirst: boolean;
}

/** Samples of a part, or entries of a list, and where their cells and counts are written. */
interface Run extends PartOfList {
  readonly from: number;
  readonly count: number;
  readonly written: readonly GPUBufferBinding[];
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
  const fresh = isFirst ? part.fresh : [];
  const all = fresh.flatMap(({ before, dense }) => placed(before, { ...places, dense }));
  const entries = list ?? part.pixels;
  // The buffer for cells has room for as many as are ever written at a time, so that it is created once.
  const bytes = Math.min(entries, steps.atOnce) * limits.WORD_BYTES;
  const cells = { buffer: steps.staged === null ? buffers.nothing.written : buffers.cells.of(bytes) };
  for (let from = 0; from < entries; from += steps.atOnce) {
    const count = Math.min(steps.atOnce, entries - from);
    const run = { ...selected, from, count, written: [cells, places.counts] };
    all.push(...steps.columns.map((columns) => columnsCommand(context, of, columns, run)));
    if (steps.staged === null) continue;
    const chunk = { data: cells, pixels: count, before: [], dense: null };
    all.push(...chunkCommands(context, steps.staged, compiled, chunk, counts));
  }
  return all;
}

function columnsCommand(
  { buffers }: Context,
  { steps, compiled, inputs }: CellsCount,
  columns: ColumnsKernel,
  { part, list, from, count, written }: Run,
): Command {
  const { kernel, grid, stepSamples } = columns;
  const nothing = { buffer: buffers.nothing.read };
  const whole = (buffer: GPUBuffer | null) => (buffer === null ? nothing : { buffer });
  const samplesOf = (place: Place | null | undefined) => {
    const { data, dense } = place?.chunk ?? { data: nothing, dense: null };
    return typeof data === "string" ? whole(dense) : data;
  };
  const places = columns.columns.map((column) => part.places[inputs.inputOf[column]!]!);
  const mask = inputs.maskInput === null ? null : part.places[inputs.maskInput]!;
  const { all: lookup, at } = steps.lookups();
  const starts = columns.columns.flatMap((column, k) => [
    [`first_${k}`, places[k]!.first],
    [`lookupAt_${k}`, at[column]!],
  ]);
  const inSteps = list === null && isAligned(columns, places, mask) ? Math.floor(count / stepSamples) : 0;
  return {
    ...{ kernel, pipeline: compiled.get(kernel)!, grid: grid(count) },
    params: {
      ...columns.params,
      ...{ count: part.pixels, base: part.begin, entries: count, firstEntry: from },
      ...{ firstMask: mask?.first ?? 0, steps: inSteps },
      ...Object.fromEntries(starts),
    },
    resources: [
      ...Array.from({ length: own.BOUND_COLUMNS }, (_, k) => samplesOf(places[k])),
      whole(buffers.lookups.of(lookup)),
      samplesOf(mask),
      whole(list === null ? null : buffers.list.of(list * limits.WORD_BYTES)),
      ...written,
    ],
  };
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
