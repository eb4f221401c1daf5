import { type CellsInputs, limits } from "@polybin/core/backend";
import { type Dispatch, PARAMS_STRIDE, packed, type Values } from "../../kernels/index.ts";
import type { ReadyChunk } from "../../memory/index.ts";
import { own } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { type Bound, bind, encode, type Step } from "../encode.ts";
import type { ColumnsKernel } from "./kernels.ts";
import type { Part, Place } from "./parts.ts";
import type { JointProgram, JointSteps } from "./prepare.ts";

const WORD_BITS: number = limits.WORD_BYTES * 8;

/** Dispatches that follow one another, and how they are bound. `first` is the place of their params. */
interface Recorded {
  readonly dispatches: readonly Pick<Dispatch, "kernel" | "params">[];
  readonly bind: (params: GPUBuffer, first: number) => readonly Step[];
}

/** The list of selected samples on the device, or null if all are. */
export interface List {
  readonly buffer: GPUBuffer;
  readonly entries: number;
}

/** Records the dispatches over a part of the columns together with their bindings. */
export class JointRecorder {
  readonly #context: Context;
  readonly #steps: JointSteps;
  readonly #program: JointProgram;
  /** The input of each column, and the mask's. */
  readonly #inputOf: readonly number[];
  readonly #maskInput: number | null;

  constructor(
    context: Context,
    steps: JointSteps,
    program: JointProgram,
    inputOf: readonly number[],
    maskInput: number | null,
  ) {
    this.#context = context;
    this.#steps = steps;
    this.#program = program;
    this.#inputOf = inputOf;
    this.#maskInput = maskInput;
  }

  /** Counts a part, or the entries of a list that lie in it. Call this in an error scope. */
  record(
    pass: GPUComputePassEncoder,
    counts: GPUBuffer,
    part: Part,
    list: List | null,
    isFirst: boolean,
  ): void {
    const all: Recorded[] = isFirst ? part.fresh.map((chunk) => this.#dense(chunk, counts)) : [];
    const entries = list?.entries ?? part.pixels;
    for (let from = 0; from < entries; from += this.#steps.atOnce) {
      const count = Math.min(this.#steps.atOnce, entries - from);
      all.push(this.#columns(part, list, from, count, counts));
      if (this.#program.staged !== null) all.push(this.#staged(count, counts));
    }
    const dispatches = all.flatMap((recorded) => recorded.dispatches);
    const words = packed(dispatches);
    const params = this.#context.buffers.params.of(words.byteLength);
    this.#context.hardware.device.queue.writeBuffer(params, 0, words);
    let at = 0;
    for (const recorded of all) {
      encode(pass, recorded.bind(params, at));
      at += recorded.dispatches.length;
    }
  }

  /** Makes samples dense, for a user's memory that is not read in place. */
  #dense(chunk: ReadyChunk, counts: GPUBuffer): Recorded {
    const { device } = this.#context.hardware;
    const dense = chunk.dense === null ? null : { buffer: chunk.dense };
    return {
      dispatches: chunk.before,
      bind: (params, first) =>
        bind(device, chunk.before, this.#bound(counts, params, dense ?? undefined), first),
    };
  }

  /** Counts cells that the kernels before wrote. */
  #staged(count: number, counts: GPUBuffer): Recorded {
    const { hardware, buffers } = this.#context;
    const cells = { buffer: buffers.cells.of(this.#cellsBytes(count)) };
    const dispatches = this.#program.staged!.dispatches({ data: cells, pixels: count });
    return {
      dispatches,
      bind: (params, first) => bind(hardware.device, dispatches, this.#bound(counts, params), first),
    };
  }

  #bound(counts: GPUBuffer, params: GPUBuffer, dense?: GPUBufferBinding): Bound {
    const { hardware, buffers } = this.#context;
    const none = { buffer: buffers.nothingWritten };
    const bytes = this.#steps.staged?.histogramsBytes ?? 0;
    const histograms = bytes === 0 ? none : { buffer: buffers.histograms.of(bytes, bytes) };
    return {
      pipelines: hardware.pipelines,
      nothing: buffers.nothingRead,
      lookup: buffers.nothingRead,
      counts: { buffer: counts },
      scratch: { none, codes: none, histograms, dense: dense ?? none, into: none },
      params,
    };
  }

  #columns(part: Part, list: List | null, from: number, count: number, counts: GPUBuffer): Recorded {
    const { kernels } = this.#steps;
    const dispatches = kernels.map((of) => ({
      kernel: of.kernel,
      params: this.#params(of, part, list, from, count),
    }));
    return {
      dispatches,
      bind: (params, first) =>
        kernels.map((of, i) => ({
          pipeline: this.#program.pipelines[i]!,
          grid: of.grid(count),
          offset: (first + i) * PARAMS_STRIDE,
          groups: [this.#group(of, part, list, count, counts, params)],
        })),
    };
  }

  #params(of: ColumnsKernel, part: Part, list: List | null, from: number, count: number): Values {
    const { at } = this.#steps.lookup();
    const places = of.columns.map((column) => part.places[this.#inputOf[column]!]!);
    const mask = this.#maskInput === null ? null : part.places[this.#maskInput]!;
    const isWhole = list === null && isAligned(of, places, mask);
    return {
      ...of.params,
      count: part.pixels,
      entries: count,
      firstEntry: from,
      base: part.begin,
      firstMask: mask?.first ?? 0,
      steps: isWhole ? Math.floor(count / of.stepSamples) : 0,
      ...Object.fromEntries(
        of.columns.flatMap((column, k) => [
          [`first_${k}`, places[k]!.first],
          [`lookupAt_${k}`, at[column]!],
        ]),
      ),
    };
  }

  #group(
    of: ColumnsKernel,
    part: Part,
    list: List | null,
    count: number,
    counts: GPUBuffer,
    params: GPUBuffer,
  ): GPUBindGroup {
    const { hardware, buffers } = this.#context;
    const { words } = this.#steps.lookup();
    const nothing = { buffer: buffers.nothingRead };
    const dataOf = (place: Place | undefined) => (place === undefined ? nothing : bindingOf(place.chunk));
    const columns = Array.from({ length: own.BOUND_COLUMNS }, (_, k) => {
      const column = of.columns[k];
      return dataOf(column === undefined ? undefined : part.places[this.#inputOf[column]!]);
    });
    const mask = dataOf(this.#maskInput === null ? undefined : part.places[this.#maskInput]);
    const { staged } = this.#steps;
    const resources: GPUBufferBinding[] = [
      ...columns,
      words.length === 0 ? nothing : { buffer: buffers.lookups.of(this.#steps, () => words) },
      mask,
      list === null ? nothing : { buffer: list.buffer },
      { buffer: staged === null ? buffers.nothingWritten : buffers.cells.of(this.#cellsBytes(count)) },
      { buffer: counts },
      { buffer: params, size: PARAMS_STRIDE },
    ];
    return hardware.device.createBindGroup({
      layout: hardware.pipelines.layout("joint"),
      entries: resources.map((resource, binding) => ({ binding, resource })),
    });
  }

  /** Returns the room for cells: as many as are ever written at a time, so that the buffer is created once. */
  #cellsBytes(count: number): number {
    return Math.min(count, this.#steps.atOnce) * limits.WORD_BYTES;
  }
}

/** Returns where the samples of a chunk lie. */
function bindingOf({ data, dense }: ReadyChunk): GPUBufferBinding {
  return typeof data === "string" ? { buffer: dense! } : data;
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
  const all: CellsInputs["columns"][number][] = [];
  const inputOf = columns.map((input) => {
    const known = all.indexOf(input);
    return known >= 0 ? known : all.push(input) - 1;
  });
  return { all: mask === null ? all : [...all, mask], inputOf, maskInput: mask === null ? null : all.length };
}
