import { addSums, type BinSums, limits, rowBytes, type TableValues } from "@polybin/core/backend";
import type { Codes } from "../kernels/index.ts";
import { type Block, type Step, sharedSumsAt, weightedKernelOf } from "../kernels/index.ts";
import type { Wasm } from "../platform/index.ts";
import { WORKER_CHUNK_BYTES } from "../platform/index.ts";
import {
  addDone,
  isStopped,
  type SumsAnswer,
  type SumsGroup,
  type SumsTask,
  takeNext,
} from "../task/index.ts";

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
      for (const [i, of] of sums.entries()) addInto(found, place + first + i, of);
    }
    before += blocks;
    place += features.length;
  }
  return { kind: "sums", sums: found, ms };
}

function blocksOf({ plan, features }: SumsGroup): number {
  return Math.ceil(features.length / plan.featuresPerBlock) * plan.segments;
}

function addInto(found: Map<number, BinSums>, place: number, sums: BinSums): void {
  const there = found.get(place);
  if (there === undefined) found.set(place, sums);
  else addSums(there, sums);
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
      copyWords(weights, from, to, wasm, wasm.raw);
      if (squares !== null) copyWords(squares, from, to, wasm, wasm.rawSquares);
      if (documents !== null && isNear) {
        const indices = new Uint32Array(wasm.memory.buffer, wasm.indices, count);
        for (let i = 0; i < count; i++) indices[i] = documents[from + i]! - first;
      }
      this.#read = { from, to };
    }
    const codes = (feature: number, place = 0): Codes => {
      const address = wasm.values + place * wasm.valuesStep;
      if (isNear) copyNear(wasm, table, feature, first, end, documents === null ? null : count, address);
      else copyFar(wasm, table, feature, documents!.subarray(from, to), address);
      return { address, count, bytes: table.type === "u16" ? 2 : 1 };
    };
    return { wasm, count, codes };
  }
}

/** Copies values of the documents [first, end), or of those `chosen` among them by INDICES. */
function copyNear(
  wasm: Wasm,
  { type, documents, bytes }: TableValues,
  feature: number,
  first: number,
  end: number,
  chosen: number | null,
  out: number,
): void {
  const row = feature * rowBytes(type, documents);
  const isPlain = chosen === null && type !== "u4";
  const [from, to] = [row + rowBytes(type, first), row + rowBytes(type, end)];
  copyBytes(bytes, from, to, wasm, isPlain ? out : wasm.chunk);
  if (chosen !== null) wasm[`gather_${type}`](chosen, out);
  else if (type === "u4") wasm.unpack_u4(end - first, out);
}

/** Copies values of documents that are too far apart to copy everything in between. */
function copyFar(
  { memory }: Wasm,
  { type, documents, bytes }: TableValues,
  feature: number,
  chosen: Uint32Array,
  out: number,
): void {
  const row = bytes.subarray(feature * rowBytes(type, documents));
  const count = chosen.length;
  if (type === "u16") {
    const to = new Uint16Array(memory.buffer, out, count);
    for (let i = 0; i < count; i++) to[i] = row[2 * chosen[i]!]! | (row[2 * chosen[i]! + 1]! << 8);
    return;
  }
  const to = new Uint8Array(memory.buffer, out, count);
  if (type === "u8") for (let i = 0; i < count; i++) to[i] = row[chosen[i]!]!;
  else {
    for (let i = 0; i < count; i++) {
      const pair = row[chosen[i]! >>> 1]!;
      to[i] = chosen[i]! & 1 ? pair >>> 4 : pair & (limits.NIBBLE_VALUES - 1);
    }
  }
}

function copyWords(
  words: Int32Array | Float32Array,
  from: number,
  to: number,
  wasm: Wasm,
  address: number,
): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  copyBytes(bytes, from * words.BYTES_PER_ELEMENT, to * words.BYTES_PER_ELEMENT, wasm, address);
}

/** Buffer's copy from shared memory is twice as fast as Uint8Array's `set`. */
function copyBytes(
  { buffer, byteOffset, byteLength }: Uint8Array,
  from: number,
  to: number,
  { memory }: Wasm,
  address: number,
): void {
  Buffer.from(buffer, byteOffset, byteLength).copy(
    new Uint8Array(memory.buffer, address, to - from),
    0,
    from,
    to,
  );
}
