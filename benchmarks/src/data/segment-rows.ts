const BINS = 256;

/** The exact counts of segments of bytes from a plain loop, one row per segment of the data's period. */
export class Rows {
  readonly #counts: Uint32Array;
  readonly #segments: number;
  readonly #total: number;

  private constructor(counts: Uint32Array, total: number) {
    this.#counts = counts;
    this.#segments = counts.length / BINS;
    this.#total = total;
  }

  /** @param period number of samples after which the data repeat, a multiple of `each` */
  static of(data: Uint8Array, each: number, period: number): Rows {
    const counted = Math.min(data.length, period);
    const counts = new Uint32Array((counted / each) * BINS);
    for (let row = 0, at = 0; at < counted; row += BINS) {
      for (const end = at + each; at < end; at++) counts[row + data[at]!]!++;
    }
    return new Rows(counts, data.length / each);
  }

  /** Describes the first difference of a matrix; null if there is none. */
  difference(found: ArrayLike<number>): string | null {
    const right = this.#total * BINS;
    if (found.length !== right) return `expected ${right} counts but received ${found.length}`;
    const counts = this.#counts;
    for (let from = 0; from < found.length; from += counts.length) {
      const length = Math.min(counts.length, found.length - from);
      for (let i = 0; i < length; i++)
        if (found[from + i] !== counts[i]) return told(from + i, found[from + i]!, counts[i]!);
    }
    return null;
  }

  /** Describes the first difference of one row. */
  differenceAt(segment: number, found: readonly number[]): string | null {
    const row = (segment % this.#segments) * BINS;
    const bin = found.findIndex((count, i) => count !== this.#counts[row + i]);
    return bin < 0 ? null : told(segment * BINS + bin, found[bin]!, this.#counts[row + bin]!);
  }
}

function told(at: number, found: number, right: number): string {
  return `segment ${Math.floor(at / BINS)}, bin ${at % BINS}: expected ${right} but received ${found}`;
}
