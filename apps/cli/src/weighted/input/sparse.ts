import { allocated, Chunks } from "./chunks.ts";

/** The values of one feature that the file names. All other documents have 0. */
export interface SparseFeature {
  /** The index in the file. */
  readonly index: number;
  /** The documents with a value, ascending. */
  readonly documents: Uint32Array;
  /** One value per document in `documents`. */
  readonly values: Float64Array;
}

/** Values feature by feature in a few arrays, whatever the number of features: 12 bytes per value and 8 per feature. */
export class SparseFeatures {
  readonly #indices: Uint32Array;
  /** The start of each feature's values, and the end of the last one's. */
  readonly #starts: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #values: Float64Array;

  /** @internal `SparseRows` makes it. */
  constructor(indices: Uint32Array, starts: Uint32Array, documents: Uint32Array, values: Float64Array) {
    this.#indices = indices;
    this.#starts = starts;
    this.#documents = documents;
    this.#values = values;
  }

  /** The number of features, which ascend by index. */
  get length(): number {
    return this.#indices.length;
  }

  /** The number of values of all features. */
  get values(): number {
    return this.#values.length;
  }

  /** The bytes of memory that they take. */
  get bytes(): number {
    return [this.#indices, this.#starts, this.#documents, this.#values].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  /** The index of a feature in the file. */
  indexOf(feature: number): number {
    return this.#indices[feature]!;
  }

  /** The number of values of a feature. */
  valuesOf(feature: number): number {
    return this.#starts[feature + 1]! - this.#starts[feature]!;
  }

  /** A feature, as views of the arrays. */
  at(feature: number): SparseFeature {
    const [from, to] = [this.#starts[feature]!, this.#starts[feature + 1]!];
    return {
      index: this.indexOf(feature),
      documents: this.#documents.subarray(from, to),
      values: this.#values.subarray(from, to),
    };
  }
}

/** Values document by document, as in a file: 12 bytes per value and 4 per document. */
export class SparseRows {
  readonly #indices = new Chunks(Uint32Array);
  readonly #values = new Chunks(Float64Array);
  /** The start of each document's values. */
  readonly #starts = new Chunks(Uint32Array);

  /** Begins a document. @throws ERR_OUT_OF_MEMORY */
  begin(): void {
    this.#starts.push(this.#indices.length);
  }

  /** Adds a value to the last document, whose indices ascend. @throws ERR_OUT_OF_MEMORY */
  push(index: number, value: number): void {
    this.#indices.push(index);
    this.#values.push(value);
  }

  /** The number of values so far. */
  get values(): number {
    return this.#indices.length;
  }

  /** The number of documents so far. */
  get documents(): number {
    return this.#starts.length;
  }

  /** The same values feature by feature. Meanwhile each value is in memory twice. @throws ERR_OUT_OF_MEMORY */
  features(): SparseFeatures {
    const [indices, starts] = tally(this.#indices.gathered().sort());
    const documents = allocated(Uint32Array, this.values);
    const values = allocated(Float64Array, this.values);
    const next = starts.slice();
    for (let document = 0, place = 0; document < this.documents; document++) {
      const end = document + 1 < this.documents ? this.#starts.at(document + 1) : this.values;
      for (let feature = 0; place < end; place++) {
        feature = find(indices, this.#indices.at(place), feature);
        const to = next[feature]!++;
        documents[to] = document;
        values[to] = this.#values.at(place);
      }
    }
    return new SparseFeatures(indices, starts, documents, values);
  }
}

/** The different numbers of a sorted array and their starts. The last start is the end of the array. */
function tally(sorted: Uint32Array): [Uint32Array, Uint32Array] {
  let different = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) different += 1;
  const found = allocated(Uint32Array, different);
  const starts = allocated(Uint32Array, different + 1);
  for (let i = 0, at = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) continue;
    found[at] = sorted[i]!;
    starts[at++] = i;
  }
  starts[different] = sorted.length;
  return [found, starts];
}

/** The position of a number in a sorted array that has it, at or after `from`. Finds near numbers quickly. */
function find(sorted: Uint32Array, wanted: number, from: number): number {
  let [low, step] = [from, 1];
  while (low + step < sorted.length && sorted[low + step]! <= wanted) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, sorted.length);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= wanted) low = middle;
    else high = middle;
  }
  return low;
}
