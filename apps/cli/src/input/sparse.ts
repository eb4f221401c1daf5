import { allocated, Chunks } from "./chunks.ts";

/** The values of one feature that are written down; all other documents have 0. */
export interface SparseFeature {
  /** As in the file. */
  readonly index: number;
  /** Which documents have a value, ascending. */
  readonly documents: Uint32Array;
  /** As many values. */
  readonly values: Float64Array;
}

/** Values feature by feature in three arrays, however many features there are: 12 bytes a value and 8 a feature. */
export class SparseFeatures {
  readonly #indices: Uint32Array;
  /** Where the values of each feature begin, and where those of the last one end. */
  readonly #starts: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #values: Float64Array;

  /** @internal see SparseRows */
  constructor(indices: Uint32Array, starts: Uint32Array, documents: Uint32Array, values: Float64Array) {
    this.#indices = indices;
    this.#starts = starts;
    this.#documents = documents;
    this.#values = values;
  }

  /** Features, ascending by index. */
  get length(): number {
    return this.#indices.length;
  }

  /** Values of all features that are written down. */
  get values(): number {
    return this.#values.length;
  }

  /** Bytes of memory that they take. */
  get bytes(): number {
    return [this.#indices, this.#starts, this.#documents, this.#values].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  /** What a feature is called in the file. */
  indexOf(feature: number): number {
    return this.#indices[feature]!;
  }

  /** Values of a feature that are written down. */
  valuesOf(feature: number): number {
    return this.#starts[feature + 1]! - this.#starts[feature]!;
  }

  /** A feature, in place. */
  at(feature: number): SparseFeature {
    const [from, to] = [this.#starts[feature]!, this.#starts[feature + 1]!];
    return {
      index: this.indexOf(feature),
      documents: this.#documents.subarray(from, to),
      values: this.#values.subarray(from, to),
    };
  }
}

/** Values document by document, as a file has them: 12 bytes a value and 4 a document. */
export class SparseRows {
  readonly #indices = new Chunks(Uint32Array);
  readonly #values = new Chunks(Float64Array);
  /** Where the values of each document begin. */
  readonly #starts = new Chunks(Uint32Array);

  /** A document without values so far. @throws ERR_OUT_OF_MEMORY */
  begin(): void {
    this.#starts.push(this.#indices.length);
  }

  /** A value of the document that was begun last; its features ascend. @throws ERR_OUT_OF_MEMORY */
  push(index: number, value: number): void {
    this.#indices.push(index);
    this.#values.push(value);
  }

  /** Values so far. */
  get values(): number {
    return this.#indices.length;
  }

  /** Documents so far. */
  get documents(): number {
    return this.#starts.length;
  }

  /** The same feature by feature. For as long as it takes, each value is in memory twice. @throws ERR_OUT_OF_MEMORY */
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

/** The different numbers of a sorted array, and where each begins in it; one more start is its end. */
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

/** Where a number is in a sorted array that has it, not before `from`; what is near is found soon. */
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
