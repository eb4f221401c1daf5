import { addSums, type BinSums, limits, rowBytes } from "@polybin/core/backend";
import { type Block, type Codes, type Step, sharedSumsAt, weightedKernelOf } from "../kernels/index.ts";
import { copyTo, type Wasm, WORKER_CHUNK_BYTES } from "../platform/index.ts";
import { addDone, isStopped, takeNext } from "./control.ts";
import type { SumsAnswer, SumsGroup, SumsTask } from "./task.ts";

/** Adds up the blocks that this worker takes, until there are no more or the job is stopped. */
export function sumBlocks(task: SumsTask, wasm: Wasm): SumsAnswer {
  wasm.room(wasm.totals);
  const ms = new Map<number, number>();
  const reader = new TableReader(task, wasm);
  const found = new Map<number, BinSums>();
  const documents = task.weights.length;
  let number = takeNext(task.control);
  let before = 0;
  let place = 0;
  for (const group of task.groups) {
    const { plan, features, skip, shared } = group;
    const blocks = blocksOf(group);
    for (; number < before + blocks && !isStopped(task.control); number = takeNext(task.control)) {
      const first = Math.floor((number - before) / plan.segments) * plan.featuresPerBlock;
      const from = ((number - before) % plan.segments) * plan.segmentDocuments;
      const to = Math.min(documents, from + plan.segmentDocuments);
      const range = [first, first + plan.featuresPerBlock] as const;
      const some = features.slice(...range);
      const block: Block = {
        plan,
        features: some,
        skip: skip.slice(...range),
        shared: shared && some.map((_, i) => sharedSumsAt(shared, plan, first + i)),
        worker: task.worker,
      };
      const steps = () => reader.steps(from, to, plan.flushDocuments ?? limits.WORKER_WEIGHTED_DOCUMENTS);
      const done = (added: number) => addDone(task.control, added);
      const start = performance.now();
      const sums = weightedKernelOf(plan).add(wasm, block, steps, done);
      // The features of a block share its time equally.
      const each = (performance.now() - start) / some.length;
      for (const i of some.keys()) ms.set(place + first + i, (ms.get(place + first + i) ?? 0) + each);
      for (const [i, of] of sums.entries()) {
        const there = found.get(place + first + i);
        if (there === undefined) found.set(place + first + i, of);
        else addSums(there, of);
      }
    }
    before += blocks;
    place += features.length;
  }
  return { kind: "sums", sums: found, ms };
}

/** Returns the blocks of features and documents that threads take in turn. */
export function blocksOf({ plan, features }: Pick<SumsGroup, "plan" | "features">): number {
  return Math.ceil(features.length / plan.featuresPerBlock) * plan.segments;
}

/** Copies documents of a table in shared memory to a worker's own memory. */
class TableReader {
  readonly #task: SumsTask;
  readonly #wasm: Wasm;
  /** The documents whose weights are in memory, so that the next block over the same ones need not read them. */
  #read = { from: 0, to: 0 };

  constructor(task: SumsTask, wasm: Wasm) {
    this.#task = task;
    this.#wasm = wasm;
  }

  /** Yields the documents [from, to) of the list, `most` at a time, until the job is stopped. */
  *steps(from: number, to: number, most: number): Generator<Step> {
    for (let at = from; at < to && !isStopped(this.#task.control); at += most) {
      yield this.#step(at, Math.min(to, at + most));
    }
  }

  #step(from: number, to: number): Step {
    const { weights, squares, documents, table } = this.#task;
    const wasm = this.#wasm;
    const count = to - from;
    // The first document whose value is read, and the end. Both are at whole bytes.
    const first = documents === null ? from : documents[from]! - (documents[from]! % limits.BYTE_NIBBLES);
    const end = documents === null ? to : documents[to - 1]! + 1;
    const isNear = rowBytes(table.type, end - first) <= WORKER_CHUNK_BYTES;
    if (this.#read.from !== from || this.#read.to !== to) {
      const [start, stop] = [from * limits.WORD_BYTES, to * limits.WORD_BYTES];
      copyTo(wasm.memory, wasm.raw, weights, start, stop);
      if (squares !== null) copyTo(wasm.memory, wasm.rawSquares, squares, start, stop);
      if (documents !== null && isNear) {
        const indices = new Uint32Array(wasm.memory.buffer, wasm.indices, count);
        for (let i = 0; i < count; i++) indices[i] = documents[from + i]! - first;
      }
      this.#read = { from, to };
    }
    const codes = (feature: number, place = 0): Codes => {
      const address = wasm.values + place * wasm.valuesStep;
      if (isNear) this.#copyNear(feature, first, end, address);
      else this.#copyFar(feature, documents!.subarray(from, to), address);
      return { address, count, bytes: table.type === "u16" ? 2 : 1 };
    };
    return { wasm, count, codes };
  }

  /** Copies values of the documents [first, end), or of those among them that INDICES chooses. */
  #copyNear(feature: number, first: number, end: number, out: number): void {
    const wasm = this.#wasm;
    const { documents, table } = this.#task;
    const { type, bytes } = table;
    const row = feature * rowBytes(type, table.documents);
    const isPlain = documents === null && type !== "u4";
    const [start, stop] = [row + rowBytes(type, first), row + rowBytes(type, end)];
    copyTo(wasm.memory, isPlain ? out : wasm.chunk, bytes, start, stop);
    if (documents !== null) wasm[`gather_${type}`](this.#read.to - this.#read.from, out);
    else if (type === "u4") wasm.unpack_u4(end - first, out);
  }

  /** Copies values of documents that are too far apart to copy everything in between. */
  #copyFar(feature: number, chosen: Uint32Array, out: number): void {
    const { type, documents, bytes } = this.#task.table;
    const row = bytes.subarray(feature * rowBytes(type, documents));
    const to = new (type === "u16" ? Uint16Array : Uint8Array)(this.#wasm.memory.buffer, out, chosen.length);
    if (type === "u8") for (let i = 0; i < to.length; i++) to[i] = row[chosen[i]!]!;
    else if (type === "u16") {
      for (let i = 0; i < to.length; i++) to[i] = row[2 * chosen[i]!]! | (row[2 * chosen[i]! + 1]! << 8);
    } else {
      for (let i = 0; i < to.length; i++) {
        const pair = row[chosen[i]! >>> 1]!;
        to[i] = chosen[i]! & 1 ? pair >>> 4 : pair & (limits.NIBBLE_VALUES - 1);
      }
    }
  }
}
