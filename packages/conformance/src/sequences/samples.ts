import type { SampleType } from "@polybin/core";
import { type Region, SAMPLE_TRAITS } from "@polybin/core/backend";
import { neighbour } from "../floats.ts";
import { Random } from "../random.ts";
import { Lately } from "./lately.ts";

/** A picture whose rows have padding, and a region of it, one pixel smaller on each side if `inset` is 1. */
export interface Picture {
  readonly width: number;
  readonly padding: number;
  readonly inset: 0 | 1;
}

/** Where the samples of a call lie. */
export type Form = "array" | "unaligned" | "shared" | "allocated" | "resident";

/** Samples, in numbers from which they are made again. */
export interface Data {
  readonly type: SampleType;
  readonly pixels: number;
  readonly channels: number;
  readonly seed: number;
  readonly form: Form;
  readonly picture: Picture | null;
}

/** A typed array of any type, as one that holds numbers or 64-bit integers. */
export type Values = ArrayLike<number | bigint>;

const COMMON: readonly number[] = [0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 100];
const SIGNED: readonly number[] = [-1, -2, -3, -16];
const FLOATS: readonly number[] = [0.5, 1.5, 2.25, -0, 2 ** -24, 65_504, Infinity, -Infinity, Number.NaN];
const WIDE: readonly bigint[] = [2n ** 53n + 1n, 2n ** 62n + 1n];

/** Halves that `COMMON`, `SIGNED` and `FLOATS` have, by their bits. */
const HALVES: ReadonlyMap<number, number> = new Map([
  [0x0000, 0],
  [0x3c00, 1],
  [0x4000, 2],
  [0x4200, 3],
  [0x4500, 5],
  [0x4800, 8],
  [0x4b80, 15],
  [0x4c00, 16],
  [0x4c40, 17],
  [0x5640, 100],
  [0xbc00, -1],
  [0xc200, -3],
  [0x3800, 0.5],
  [0x4080, 2.25],
  [0x8000, -0],
  [0x0001, 2 ** -24],
  [0x7bff, 65_504],
  [0x7c00, Infinity],
  [0xfc00, -Infinity],
  [0x7e00, Number.NaN],
]);

/** The values of the samples of a type: few, so that most of them lie in the bins of most axes. */
function paletteOf(type: SampleType): readonly (number | bigint)[] {
  if (type === "f16") return [...HALVES.keys()];
  const { integer, min, max } = SAMPLE_TRAITS[type];
  const all = [...COMMON, ...(min < 0 ? SIGNED : [])];
  if (!integer) return [...all, ...FLOATS];
  if (type !== "i64" && type !== "u64") return [...all, min, max];
  const bound = type === "i64" ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
  return [...all.map(BigInt), ...WIDE, ...bound];
}

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  f16: Uint16Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const;

/** Samples and, for each, its place in `meaningsOf` its type. */
interface Made {
  readonly values: ArrayBufferView<ArrayBuffer> & Values;
  readonly places: Uint8Array;
}

/** Samples of the sizes that most steps have, and of large ones, which take megabytes. */
const kept = new Lately<string, Made>(512);
const large = new Lately<string, Made>(4);
const LARGE = 2 ** 16;
/** Large samples repeat this number of them. It is a prime, so each repetition begins elsewhere in a row or a segment. */
const REPEATED = 8191;

function made(type: SampleType, n: number, seed: number): Made {
  return (n > LARGE ? large : kept).of(`${type} ${n} ${seed}`, () => {
    const random = new Random(seed);
    const palette = paletteOf(type);
    const values = new ARRAYS[type](n);
    const places = new Uint8Array(n);
    const own = n > LARGE ? REPEATED : n;
    for (let i = 0; i < own; i++) {
      places[i] = random.below(palette.length);
      values[i] = palette[places[i]!]! as never;
    }
    for (let i = own; i < n; i += own) {
      places.copyWithin(i, 0, own);
      values.copyWithin(i, 0, own);
    }
    return { values: values as unknown as Made["values"], places };
  });
}

/** Returns samples, the same for the same arguments. Halves are bits. */
export function samplesOf(type: SampleType, n: number, seed: number): Made["values"] {
  return made(type, n, seed).values;
}

/** Returns the few numbers that samples of a type have. */
export function meaningsOf(type: SampleType): readonly (number | bigint)[] {
  return type === "f16" ? [...HALVES.values()] : paletteOf(type);
}

/** The rows and columns that are counted. */
export function regionOf({ pixels, picture }: Data): Region {
  if (picture === null) return { x: 0, y: 0, width: pixels, height: 1 };
  const { width, inset } = picture;
  const height = Math.max(1 + 2 * inset, Math.floor(pixels / width));
  return { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset };
}

/** Returns the number of pixels that are counted. */
export function countedPixels(data: Data): number {
  const { width, height } = regionOf(data);
  return width * height;
}

/** Returns the number of pixels that exist. */
function allPixels(data: Data): number {
  const { picture, pixels } = data;
  return picture === null ? pixels : picture.width * (regionOf(data).height + 2 * picture.inset);
}

/** Returns the counted samples of one channel in their order, each as its place in `meaningsOf` its type. */
export function placesOf(data: Data, channel: number): Uint8Array {
  const { type, channels, seed, picture } = data;
  const { places } = made(type, allPixels(data) * channels, seed);
  if (picture === null && channels === 1) return places;
  const { x, y, width, height } = regionOf(data);
  const row = picture?.width ?? width;
  const out = new Uint8Array(width * height);
  let at = 0;
  for (let down = y; down < y + height; down++) {
    for (let right = x; right < x + width; right++)
      out[at++] = places[(down * row + right) * channels + channel]!;
  }
  return out;
}

/**
 * Returns the finite minimum and maximum of channels as doubles, or Infinity and -Infinity. That of 64-bit integers is
 * rounded outwards. On a device they are doubles that were rounded down.
 */
export function extentOf(data: Data, channels: readonly number[]): [min: number, max: number] {
  const numbers = meaningsOf(data.type);
  const isHeld = data.form === "resident";
  let [min, max] = [Infinity, -Infinity];
  for (const channel of channels) {
    for (const place of new Set(placesOf(data, channel))) {
      const x = numbers[place]!;
      if (!Number.isFinite(Number(x))) continue;
      // Zeros of either sign are one value.
      min = Math.min(min, roundedDown(x) + 0);
      max = Math.max(max, (isHeld ? roundedDown(x) : roundedUp(x)) + 0);
    }
  }
  return [min, max];
}

function roundedDown(x: number | bigint): number {
  const near = Number(x);
  return near > x ? neighbour("f64", near, -1) : near;
}

function roundedUp(x: number | bigint): number {
  const near = Number(x);
  return near < x ? neighbour("f64", near, 1) : near;
}

/** Returns the bytes of all samples, rows padded, as they lie in memory. */
export function bytesOf(data: Data): Uint8Array {
  const { type, channels, seed, picture } = data;
  const { buffer } = samplesOf(type, allPixels(data) * channels, seed);
  const bytes = new Uint8Array(buffer);
  if (picture === null || picture.padding === 0) return bytes;
  const row = picture.width * channels * SAMPLE_TRAITS[type].bytes;
  const height = bytes.length / row;
  const out = new Uint8Array(height * (row + picture.padding)).fill(0x5a);
  for (let y = 0; y < height; y++)
    out.set(bytes.subarray(y * row, (y + 1) * row), y * (row + picture.padding));
  return out;
}

/** Returns everything about samples but their memory, as `samples` reads it. */
export function shapeOf(data: Data): object {
  const { type, channels, picture } = data;
  if (picture === null) return { type, channels };
  const { width, padding, inset } = picture;
  const { x, y, width: across, height: down } = regionOf(data);
  const rowBytes = width * channels * SAMPLE_TRAITS[type].bytes;
  return {
    ...{ type, channels, width, height: down + 2 * inset },
    ...(padding === 0 ? {} : { rowPitch: rowBytes + padding }),
    ...(inset === 0 ? {} : { region: { x, y, width: across, height: down } }),
  };
}
