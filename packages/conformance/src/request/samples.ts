import type { SampleType } from "@polybin/core";
import { type Region, SAMPLE_TRAITS } from "@polybin/core/backend";
import type { Value } from "../oracle/codes.ts";
import { neighbour } from "../oracle/floats.ts";
import { Random } from "../random.ts";
import { Lately } from "./lately.ts";
import { type Content, meaningOf, storedValues } from "./palette.ts";

/** A picture whose rows have padding, and which part of it is counted. */
export interface Picture {
  readonly width: number;
  readonly padding: number;
  readonly part: "all" | "inner" | "right border" | "one pixel" | "no pixel";
}

/** Places of the samples of a call: memory of different kinds, the device, streams and a file. */
export const FORMS = [
  "array",
  "unaligned",
  "shared",
  "buffer",
  "DataView",
  "numbers",
  "allocated",
  "resident",
  "Blob",
  "ReadableStream",
  "single bytes",
  "uneven pieces",
  "arrays",
  "file",
] as const;

export type Form = (typeof FORMS)[number];

const STREAMS: readonly Form[] = ["Blob", "ReadableStream", "single bytes", "uneven pieces", "arrays"];

/** Whether an input can be read only once. */
export const isStream = (form: Form): boolean => STREAMS.includes(form);
/** Whether an input is read piece by piece. */
export const isRead = (form: Form): boolean => isStream(form) || form === "file";

/** Samples, in numbers from which they are made again. */
export interface Data {
  readonly type: SampleType;
  readonly pixels: number;
  readonly channels: number;
  readonly seed: number;
  readonly form: Form;
  readonly picture: Picture | null;
  /** Default: common numbers. */
  readonly content?: Content;
}

/** A typed array of any type, as one that holds numbers or 64-bit integers. */
type Values = ArrayLike<Value>;

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

/** Samples and, for each, its place in `meaningsOf` its kind. */
interface Made {
  readonly values: ArrayBufferView<ArrayBuffer> & Values;
  readonly places: Uint16Array;
}

type Kind = Pick<Data, "type" | "content">;

const keyOf = ({ type, content = "common" }: Kind): string => `${type} ${JSON.stringify(content)}`;

const palettes = new Lately<string, readonly Value[]>(256);
const paletteOf = (kind: Kind): readonly Value[] =>
  palettes.of(keyOf(kind), () => storedValues(kind.type, kind.content ?? "common"));

/** Samples of the sizes that most requests have, and of large ones, which take megabytes. */
const kept = new Lately<string, Made>(512);
const large = new Lately<string, Made>(4);
const LARGE = 2 ** 16;
/** Large samples repeat this number of them. It is a prime, so each repetition begins elsewhere in a row or a segment. */
const REPEATED = 8191;

function made(kind: Kind, n: number, seed: number): Made {
  return (n > LARGE ? large : kept).of(`${keyOf(kind)} ${n} ${seed}`, () => {
    const random = new Random(seed);
    const palette = paletteOf(kind);
    const values = new ARRAYS[kind.type](n);
    const places = new Uint16Array(n);
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

/** Returns all samples, the same for the same data. Halves are bits. */
export function samplesOf(data: Data): Made["values"] {
  return made(data, allPixels(data) * data.channels, data.seed).values;
}

/** Returns the few numbers that samples of a kind have. */
export function meaningsOf(kind: Kind): readonly Value[] {
  return paletteOf(kind).map((value) => meaningOf(kind.type, value));
}

/** The rows and columns that are counted. */
export function regionOf(data: Data): Region {
  const { pixels, picture } = data;
  if (picture === null) return { x: 0, y: 0, width: pixels, height: 1 };
  const { width, part } = picture;
  const height = heightOf(data);
  switch (part) {
    case "all":
      return { x: 0, y: 0, width, height };
    case "inner":
      return { x: 1, y: 1, width: width - 2, height: height - 2 };
    case "right border":
      return { x: width - 3, y: 1, width: 3, height: height - 1 };
    case "one pixel":
      return { x: 1, y: 1, width: 1, height: 1 };
    case "no pixel":
      return { x: width, y: height, width: 0, height: 0 };
  }
}

/** Returns the number of rows that exist. */
function heightOf({ pixels, picture }: Data): number {
  return picture === null ? 1 : Math.max(picture.part === "all" ? 1 : 3, Math.floor(pixels / picture.width));
}

/** Returns the number of pixels that are counted. */
export function countedPixels(data: Data): number {
  const { width, height } = regionOf(data);
  return width * height;
}

/** Returns the number of pixels that exist. */
function allPixels(data: Data): number {
  return (data.picture?.width ?? data.pixels) * heightOf(data);
}

/** Returns the counted samples of one channel in their order, each as its place in `meaningsOf` its type. */
export function placesOf(data: Data, channel: number): Uint16Array {
  const { channels, seed, picture } = data;
  const { places } = made(data, allPixels(data) * channels, seed);
  if (picture === null && channels === 1) return places;
  const { x, y, width, height } = regionOf(data);
  const row = picture?.width ?? width;
  const out = new Uint16Array(width * height);
  let at = 0;
  for (let down = y; down < y + height; down++) {
    for (let right = x; right < x + width; right++)
      out[at++] = places[(down * row + right) * channels + channel]!;
  }
  return out;
}

/** Returns the counted samples of one channel in their order, as numbers. */
export function numbersOf(data: Data, channel: number): number[] {
  const meanings = meaningsOf(data).map(Number);
  return Array.from(placesOf(data, channel), (place) => meanings[place]!);
}

/**
 * Returns the finite minimum and maximum of channels as doubles, or Infinity and -Infinity. That of 64-bit integers is
 * rounded outwards. On a device they are doubles that were rounded down.
 */
export function extentOf(data: Data, channels: readonly number[]): [min: number, max: number] {
  const numbers = meaningsOf(data);
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
  const { type, channels, picture } = data;
  const { buffer } = samplesOf(data);
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
  const { width, padding, part } = picture;
  const rowBytes = width * channels * SAMPLE_TRAITS[type].bytes;
  return {
    ...{ type, channels, width },
    // The height follows from the bytes of odd rows.
    ...(padding % 2 === 0 ? { height: heightOf(data) } : {}),
    ...(padding === 0 ? {} : { rowPitch: rowBytes + padding }),
    ...(part === "all" ? {} : { region: regionOf(data) }),
  };
}
