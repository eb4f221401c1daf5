import { edgesOf } from "@polybin/core/backend";
import {
  type CountsBatch,
  isValid,
  sampleTypeOf,
  type ValueArray,
  type ValuesChunk,
} from "../../table/index.ts";
import type { Moments } from "../exact/moments.ts";
import type { OverPartial } from "../partial/over-partial.ts";
import type { ColumnPlan } from "../partial/plan.ts";
import { Codes } from "./codes.ts";
import { widened } from "./dense.ts";

const WORD = 2 ** 32;

/** Adds up columns in each bin of another column: the rows of a batch are sorted by bin, and each bin is added at once. */
export class OverCounter {
  readonly #partial: OverPartial;
  readonly #find: Codes;
  readonly #edges: readonly bigint[];
  readonly #types: ReadonlyMap<string, ColumnPlan["logical"]>;
  /** The bin of each row of a batch. The number of bins stands for none. */
  #bins = new Uint16Array(0);
  /** The first place of each bin among the sorted rows, and the end of the last one. */
  readonly #starts: Uint32Array;

  /** @param plans the columns of the pass, for their types */
  constructor(partial: OverPartial, plans: readonly ColumnPlan[]) {
    const { axis } = partial.plan;
    this.#partial = partial;
    this.#find = new Codes(axis);
    this.#edges = Array.from(edgesOf(axis, "f64"), (edge) => (Number.isInteger(edge) ? BigInt(edge) : 0n));
    this.#types = new Map(plans.map(({ name, logical }) => [name, logical]));
    this.#starts = new Uint32Array(axis.bins + 1);
  }

  /** Adds the rows of a batch. Rows of a table without the column have no bin. */
  add({ rows, columns }: CountsBatch): void {
    const { plan } = this.#partial;
    const chunkOf = (name: string) => columns.find((chunk) => chunk.name === name) as ValuesChunk | undefined;
    const over = chunkOf(plan.column);
    if (over === undefined) return;
    this.#place(over, rows);
    for (const [i, name] of plan.columns.entries()) {
      const chunk = chunkOf(name);
      if (chunk !== undefined) this.#addColumn(i, chunk, rows);
    }
  }

  /** Finds the bin of each row. */
  #place(chunk: ValuesChunk, rows: number): void {
    const { values, nulls } = chunk;
    const partial = this.#partial;
    const none = partial.rows.length;
    if (this.#bins.length < rows) this.#bins = new Uint16Array(rows);
    const [bins, starts, find] = [this.#bins, this.#starts, this.#find];
    const near = numberAt(values);
    const big = isBig(values) ? values : null;
    starts.fill(0);
    for (let row = 0; row < rows; row++) {
      bins[row] = none;
      if (nulls > 0 && !isValid(chunk, row)) continue;
      const value = near(row);
      if (!Number.isFinite(value)) continue;
      let code = find.codeOf(value);
      // Rounding can lift an integer onto an edge, but not across it.
      if (big !== null && code > 0 && !Number.isSafeInteger(value) && big[row]! < this.#edges[code - 1]!)
        code--;
      if (code === 0 || code > none) partial.outside++;
      else {
        bins[row] = code - 1;
        starts[code]!++;
      }
    }
    for (let bin = 0; bin < none; bin++) {
      partial.rows[bin]! += starts[bin + 1]!;
      starts[bin + 1]! += starts[bin]!;
    }
  }

  #addColumn(index: number, chunk: ValuesChunk, rows: number): void {
    const { nulls, moments } = this.#partial.columns[index]!;
    const logical = this.#types.get(chunk.name)!;
    const all = widened(chunk.values, sampleTypeOf(logical)!);
    const sorted = new (all.constructor as new (length: number) => ValueArray)(this.#starts.at(-1)!);
    const next = this.#starts.slice();
    const [bins, none] = [this.#bins, moments.length];
    for (let row = 0; row < rows; row++) {
      const bin = bins[row]!;
      if (bin === none) continue;
      if (chunk.nulls > 0 && !isValid(chunk, row)) nulls[bin]!++;
      else sorted[next[bin]!++] = all[row]!;
    }
    // All but 0 are true.
    if (logical.kind === "boolean")
      for (let i = 0; i < sorted.length; i++) sorted[i] = Number(sorted[i] !== 0);
    for (const [bin, of] of moments.entries()) addPart(of, sorted, this.#starts[bin]!, next[bin]!);
  }
}

function addPart(moments: Moments, sorted: ValueArray, from: number, to: number): void {
  if (to > from) moments.add(sorted.subarray(from, to));
}

/** Reads values as the nearest doubles. Words are read much faster than bigints. */
function numberAt(values: ValueArray): (row: number) => number {
  if (!isBig(values)) return (row) => values[row] as number;
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  if (values instanceof BigUint64Array) return (row) => words[2 * row + 1]! * WORD + words[2 * row]!;
  return (row) => (words[2 * row + 1]! | 0) * WORD + words[2 * row]!;
}

const isBig = (values: ValueArray): values is BigInt64Array | BigUint64Array =>
  values instanceof BigInt64Array || values instanceof BigUint64Array;
