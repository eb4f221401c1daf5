import type { Engine, Histogram, HistogramOptions, SampleType } from "@polybin/core";
import { type Distribution, fill, type Values } from "./distributions.ts";
import { rgbaOf, samplePicture } from "./picture.ts";

/** Number of generated samples. Larger data repeat them. */
const TILE_SAMPLES = 2 ** 24;
/** Number of different values in `sorted` data, all equally frequent. */
const SORTED_LEVELS = 2 ** 16;

const SIZES = { u8: 1, u16: 2, i16: 2, u32: 4, i32: 4, f32: 4, f64: 8 } as const;

/** The properties of samples, without their number. */
export interface Shape {
  readonly type: keyof typeof SIZES & SampleType;
  /** Lower bound of the samples. Default: 0. */
  readonly low?: number;
  /** Exclusive upper bound of the samples. */
  readonly top: number;
  /** Interleaved samples per pixel. */
  readonly channels: number;
}

/** Bytes of a single channel. */
export const BYTES: Shape = { type: "u8", top: 256, channels: 1 };

/** Returns the bytes per pixel. */
export function pixelBytes({ type, channels }: Shape): number {
  return SIZES[type] * channels;
}

/** Makes an array of `length` samples over given or new memory. */
function arrayOf(type: Shape["type"], length: number, memory?: Uint8Array): Values {
  const { buffer, byteOffset } = memory ?? new Uint8Array(length * SIZES[type]);
  if (type === "u8") return new Uint8Array(buffer, byteOffset, length);
  if (type === "u16") return new Uint16Array(buffer, byteOffset, length);
  if (type === "i16") return new Int16Array(buffer, byteOffset, length);
  if (type === "i32") return new Int32Array(buffer, byteOffset, length);
  if (type === "u32") return new Uint32Array(buffer, byteOffset, length);
  if (type === "f32") return new Float32Array(buffer, byteOffset, length);
  return new Float64Array(buffer, byteOffset, length);
}

/** The exact counts of every wanted channel. */
export type Truth = readonly ChannelCounts[];
export interface ChannelCounts extends Pick<Histogram, "underflow" | "overflow" | "nan"> {
  readonly counts: ArrayLike<number>;
}

/**
 * A piece of a distribution that data of any length repeat, so that generating gigabytes and counting them on the CPU is
 * fast. The counts are those of the piece, times the number of repeats, plus those of the rest. `sorted` data repeat each
 * sample of the piece before the next one.
 */
export class Tile {
  readonly shape: Shape;
  readonly name: string;
  readonly #values: Values;
  readonly #stretched: boolean;

  private constructor(shape: Shape, name: string, values: Values, stretched: boolean) {
    this.shape = shape;
    this.name = name;
    this.#values = values;
    this.#stretched = stretched;
  }

  static of(shape: Shape, distribution: Distribution, length: number = TILE_SAMPLES): Tile {
    const sorted = distribution === "sorted";
    if (distribution === "picture" && shape.channels > 1) {
      const picture = samplePicture();
      const pixels = shape.channels === 3 ? picture.rgb : rgbaOf(picture, 255);
      return new Tile(shape, distribution, pixels, false);
    }
    const values = arrayOf(shape.type, sorted ? Math.min(length, SORTED_LEVELS) : length);
    fill(values, distribution, shape.top, shape.low);
    return new Tile(shape, distribution, values, sorted);
  }

  /** Makes a tile of any bytes, such as those of a picture. */
  static ofBytes(name: string, bytes: Uint8Array): Tile {
    return new Tile(BYTES, name, bytes, false);
  }

  /** Fills the first `pixels` pixels of memory, and returns them as samples. */
  lay(memory: Uint8Array, pixels: number): Values {
    const { type, channels } = this.shape;
    const to = arrayOf(type, pixels * channels, memory);
    const from = this.#values;
    if (this.#stretched) {
      const each = this.#each(to.length);
      for (let i = 0; i * each < to.length; i++) to.fill(from[i]!, i * each, (i + 1) * each);
      return to;
    }
    for (let at = 0; at < to.length; at += from.length) {
      to.set(from.subarray(0, Math.min(from.length, to.length - at)), at);
    }
    return to;
  }

  /** Computes the counts of `pixels` pixels from the CPU's counts of the piece. */
  async counts(
    oracle: Engine,
    pixels: number,
    options: HistogramOptions & { readonly channels?: readonly number[] },
  ): Promise<Truth> {
    const { channels } = this.shape;
    const count = async (values: Values): Promise<Truth> =>
      values.length === 0 ? [] : oracle.histograms({ data: values, channels }, options);
    const total = pixels * channels;
    const from = this.#values;
    if (this.#stretched) {
      if (channels > 1)
        throw new Error("expected one channel for sorted data, since several would be sorted by channel");
      const each = this.#each(total);
      return sum(await count(from), each, []);
    }
    const rest = total % from.length;
    const whole = total < from.length ? [] : await count(from);
    return sum(whole, Math.floor(total / from.length), await count(from.subarray(0, rest)));
  }

  /** Returns the number of repeats of each sample of sorted data. */
  #each(total: number): number {
    const levels = this.#values.length;
    if (total % levels === 0) return total / levels;
    throw new Error(`expected a multiple of ${levels} sorted samples but received ${total}`);
  }
}

/** Computes a * times + b. Either may be empty. */
function sum(a: Truth, times: number, b: Truth): Truth {
  return (a.length > 0 ? a : b).map((_, i) => {
    const [x, y] = [a[i], b[i]];
    const one = (p = 0, q = 0) => p * times + q;
    return {
      counts: Array.from((x ?? y)!.counts, (_, bin) => one(x?.counts[bin], y?.counts[bin])),
      underflow: one(x?.underflow, y?.underflow),
      overflow: one(x?.overflow, y?.overflow),
      nan: one(x?.nan, y?.nan),
    };
  });
}

/** Describes the first difference from the exact counts; null if there is none. */
export function difference(truth: Truth, found: Truth): string | null {
  for (const [channel, expected] of truth.entries()) {
    const actual = found[channel];
    if (actual === undefined) return `channel ${channel} is missing`;
    for (const flow of ["underflow", "overflow", "nan"] as const) {
      if (actual[flow] !== expected[flow])
        return `${flow}: expected ${expected[flow]} but received ${actual[flow]}`;
    }
    const wrong = differenceOf(expected.counts, actual.counts);
    if (wrong !== null) return `channel ${channel}, ${wrong}`;
  }
  return null;
}

/** Describes the first bin whose count differs; null if there is none. */
export function differenceOf(expected: ArrayLike<number>, found: ArrayLike<number>): string | null {
  for (let bin = 0; bin < expected.length; bin++)
    if (found[bin] !== expected[bin])
      return `bin ${bin}: expected ${expected[bin]} but received ${found[bin]}`;
  return null;
}
