import type { Chunk } from "@polybin/columns";
import { type ColumnExtent, joinedExtent, NO_EXTENT, type Payload } from "../payload.ts";
import { isValid, type Rows, type ShardCounter, valuesOf } from "./counter.ts";

/** Finds the smallest and the largest finite value of each column. */
export class ExtentCounter implements ShardCounter {
  #rows = 0;
  #extents: ColumnExtent[];

  constructor(columns: number) {
    this.#extents = Array.from({ length: columns }, () => NO_EXTENT);
  }

  async add({ rows, columns }: Rows): Promise<void> {
    this.#rows += rows;
    this.#extents = this.#extents.map((extent, i) => joinedExtent(extent, extentOfChunk(columns[i]!)));
  }

  take(): Payload {
    return { count: "extent", rows: this.#rows, extents: this.#extents };
  }
}

function extentOfChunk(chunk: Chunk): ColumnExtent {
  const values = valuesOf(chunk);
  if (values instanceof BigInt64Array || values instanceof BigUint64Array)
    return extentOfIntegers(chunk, values);
  let [min, max] = [Infinity, -Infinity];
  for (let row = 0; row < chunk.rows; row++) {
    const value = values[row]!;
    // NaN fails both comparisons.
    if (!(value < min || value > max) || !Number.isFinite(value) || !isValid(chunk, row)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // -0 is 0, which JSON writes for both.
  return { min: min + 0, max: max + 0 };
}

/** Compares the upper halves first, since comparing large integers takes ten times as long. */
function extentOfIntegers(chunk: Chunk, values: BigInt64Array | BigUint64Array): ColumnExtent {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  const upper =
    values instanceof BigInt64Array ? new Int32Array(words.buffer, words.byteOffset, words.length) : words;
  let [least, most] = [-1, -1];
  const isBelow = (a: number, b: number): boolean => {
    const [x, y] = [upper[2 * a + 1]!, upper[2 * b + 1]!];
    return x < y || (x === y && words[2 * a]! < words[2 * b]!);
  };
  for (let row = 0; row < chunk.rows; row++) {
    if (!isValid(chunk, row)) continue;
    if (least < 0 || isBelow(row, least)) least = row;
    if (most < 0 || isBelow(most, row)) most = row;
  }
  return least < 0 ? NO_EXTENT : { min: values[least]!, max: values[most]! };
}
