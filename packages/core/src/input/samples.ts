import {
  adviceFor,
  adviceForName,
  checkNames,
  expected,
  isNodePool,
  MAX_CHANNELS,
  OF_POOL,
  PolybinError,
} from "../base/index.ts";

/** The number formats that can be counted; little-endian where they come as bytes. */
export type SampleType = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64";

/** What is known of each sample type: bytes a sample, whether it is an integer, and its range. */
export interface SampleTraits {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly integer: boolean;
  /** Smallest and largest value of an integer type; -Infinity and Infinity of a float type. */
  readonly min: number;
  readonly max: number;
}

export const SAMPLE_TRAITS: Readonly<Record<SampleType, SampleTraits>> = {
  u8: integerTraits(1, false),
  i8: integerTraits(1, true),
  u16: integerTraits(2, false),
  i16: integerTraits(2, true),
  u32: integerTraits(4, false),
  i32: integerTraits(4, true),
  f32: { bytes: 4, integer: false, min: -Infinity, max: Infinity },
  f64: { bytes: 8, integer: false, min: -Infinity, max: Infinity },
};

export const SAMPLE_TYPES: readonly SampleType[] = Object.keys(SAMPLE_TRAITS) as SampleType[];

function integerTraits(bytes: 1 | 2 | 4, signed: boolean): SampleTraits {
  const values = 2 ** (8 * bytes);
  return { bytes, integer: true, min: signed ? -values / 2 : 0, max: (signed ? values / 2 : values) - 1 };
}

/** A typed array that holds samples of one of the eight types. */
export type SampleArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Memory itself; no array of another kind, which has the same methods to older compilers. */
type Memory = ArrayBufferLike & { readonly buffer?: never };

/** A rectangle of pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Samples as a user describes them. Only `data` is required.
 *
 * `data`: a typed array (its type is the sample type), an array of numbers (counted as f64), or bytes
 * (ArrayBuffer, SharedArrayBuffer, DataView, or a Uint8Array with `type` given) holding little-endian
 * values at any byte offset.
 */
export interface SamplesInit {
  readonly data: SampleArray | Uint8ClampedArray | DataView | Memory | readonly number[];
  readonly type?: SampleType;
  /** Interleaved samples a pixel, 1 to 4. Default 1; 4 of an ImageData. */
  readonly channels?: number;
  /** Pixels a row. Default: all of them, one row. */
  readonly width?: number;
  /** Rows. Default: as many as the data holds. Behind the last one there may be its padding, no more. */
  readonly height?: number;
  /** Bytes from the start of a row to the start of the next. Default: rows are dense. */
  readonly rowPitch?: number;
  /** Count only these pixels. */
  readonly region?: Region;
}

/** Checked samples: `height` rows of `width` pixels of `channels` samples in `bytes`. */
export interface Samples {
  readonly type: SampleType;
  /** All bytes from the first sample to the last one, rows `rowPitch` bytes apart. */
  readonly bytes: Uint8Array;
  readonly channels: number;
  /** Pixels a row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Bytes from row to row. */
  readonly rowPitch: number;
  /** Pixels = samples of one channel. */
  readonly pixels: number;
  /** True where no byte lies between rows, so that all are one run. */
  readonly dense: boolean;
}

export const ARRAY_TYPES: ReadonlyMap<string | undefined, SampleType> = new Map([
  ["Uint8Array", "u8"],
  ["Uint8ClampedArray", "u8"],
  ["Int8Array", "i8"],
  ["Uint16Array", "u16"],
  ["Int16Array", "i16"],
  ["Uint32Array", "u32"],
  ["Int32Array", "i32"],
  ["Float32Array", "f32"],
  ["Float64Array", "f64"],
]);

/** Does this value describe samples rather than being an array of them? */
export function isSamplesInit(value: unknown): value is SamplesInit {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && "data" in value;
}

/**
 * Checks a description of samples and brings it to one form. Copies nothing, except arrays of numbers.
 * @throws ERR_INPUT when the description does not fit the data.
 */
export function samples(input: SamplesInit | SamplesInit["data"]): Samples {
  const init: SamplesInit = isSamplesInit(input) ? input : { data: input };
  checkNames(init, NAMES, {
    of: "a description of samples",
    advice: (name) => adviceForName(name) ?? adviceFor(init),
  });
  const { bytes, type } = bytesOf(init);
  const size = SAMPLE_TRAITS[type].bytes;
  const channels = checkedChannels(init.channels ?? (isImage(init) ? IMAGE_CHANNELS : 1), "channels");
  const pixelBytes = size * channels;

  if (init.width === undefined) {
    if (init.height !== undefined || init.rowPitch !== undefined || init.region !== undefined) {
      throw new PolybinError(
        "ERR_INPUT",
        "expected width beside height, rowPitch or region but it is missing",
      );
    }
    if (bytes.byteLength % pixelBytes !== 0) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a whole number of ${describePixel(type, channels)} (${pixelBytes} bytes each) but received ` +
          `${bytes.byteLength} bytes`,
      );
    }
    return layout(type, bytes, channels, bytes.byteLength / pixelBytes, 1, bytes.byteLength);
  }

  const width = checkedWhole(init.width, "width", 0);
  const rowBytes = width * pixelBytes;
  const rowPitch = checkedWhole(init.rowPitch ?? rowBytes, "rowPitch", rowBytes);
  const height = checkedWhole(init.height ?? rowsIn(bytes.byteLength, rowBytes, rowPitch), "height", 0);
  const needed = height === 0 || width === 0 ? 0 : (height - 1) * rowPitch + rowBytes;
  const most = Math.max(needed, height * rowPitch);
  const fits =
    init.height === undefined ? endsOnRow(bytes.byteLength, rowBytes, rowPitch) : bytes.byteLength <= most;
  if (bytes.byteLength < needed || !fits) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected ${needed}${most > needed ? ` to ${most}` : ""} bytes for ${height} rows of ${width} ${describePixel(type, channels)} but received ` +
        `${bytes.byteLength}${guessedChannels(init, bytes.byteLength / needed)}`,
    );
  }
  const region = regionOf(init.region ?? undefined, width, height);
  const start = region.y * rowPitch + region.x * pixelBytes;
  const regionBytes = region.width * pixelBytes;
  const length = region.width === 0 || region.height === 0 ? 0 : (region.height - 1) * rowPitch + regionBytes;
  return layout(
    type,
    bytes.subarray(length === 0 ? 0 : start, length === 0 ? 0 : start + length),
    channels,
    region.width,
    region.height,
    rowPitch,
  );
}

/** What helps where so many times the bytes came. */
function guessedChannels({ channels }: SamplesInit, times: number): string {
  const isMore = Number.isInteger(times) && times > 1 && times <= MAX_CHANNELS;
  return channels === undefined && isMore ? `; did you mean channels: ${times}?` : "";
}

/** What a description may hold; the last two are an ImageData's, which say nothing about counting. */
const NAMES: readonly string[] = [
  ...(["data", "type", "channels", "width", "height", "rowPitch", "region"] satisfies (keyof SamplesInit)[]),
  "colorSpace",
  "pixelFormat",
];

/** Red, green, blue and alpha. */
const IMAGE_CHANNELS = 4;

/** Is this an ImageData, of a browser or made like one? */
function isImage({ data, width = Number.NaN, height = Number.NaN }: SamplesInit): boolean {
  return (
    ArrayBuffer.isView(data) &&
    nameOfArray(data) === "Uint8ClampedArray" &&
    data.byteLength === width * height * IMAGE_CHANNELS
  );
}

/** A number of interleaved channels. @throws ERR_INPUT unless it is 1 to 4. */
export function checkedChannels(channels: unknown, name: string): number {
  return checkedWhole(channels, name, 1, MAX_CHANNELS);
}

function layout(
  type: SampleType,
  bytes: Uint8Array,
  channels: number,
  width: number,
  height: number,
  rowPitch: number,
): Samples {
  const dense = height <= 1 || rowPitch === width * channels * SAMPLE_TRAITS[type].bytes;
  return Object.freeze({ type, bytes, channels, width, height, rowPitch, pixels: width * height, dense });
}

function bytesOf(init: SamplesInit): { bytes: Uint8Array; type: SampleType } {
  const { data, type } = init;
  const wrong = (name: string, what: string): PolybinError =>
    expected("ERR_INPUT", name, what, data, { helps: adviceFor(data) });
  if (type !== undefined && !SAMPLE_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  }
  if (Array.isArray(data)) return bytesOfNumbers(data as readonly number[], type);
  if (ArrayBuffer.isView(data)) {
    const bytes = memoryOf(data);
    const own = ARRAY_TYPES.get(nameOfArray(data));
    if (own !== undefined && own !== "u8" && type !== undefined && type !== own) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected type ${own} for samples in this array but received ${type}`,
      );
    }
    const found = own ?? (nameOfArray(data) === undefined ? (type ?? "u8") : undefined);
    if (found === undefined) throw wrong("data", `a typed array of ${SAMPLE_TYPES.join(", ")}`);
    return { bytes, type: type ?? found };
  }
  if (isBuffer(data)) {
    return { bytes: memoryOf(data), type: type ?? "u8" };
  }
  throw wrong("samples", "a typed array, a buffer or an array of numbers");
}

/** @throws ERR_INPUT where the memory is gone, or also that of others. */
function memoryOf(data: ArrayBufferView | ArrayBufferLike): Uint8Array {
  const bytes = fixedBytes(data, "data");
  if (isNodePool(data)) throw expected("ERR_INPUT", "data", "samples alone", data, { helps: OF_POOL });
  return bytes;
}

/** The class of a typed array, of this realm (window, worker, vm context) or another; undefined for a DataView. */
export function nameOfArray(view: ArrayBufferView): string | undefined {
  return ARRAY_NAME.call(view);
}

/** Is this memory, of this realm or another? */
function isBuffer(value: unknown): value is ArrayBufferLike {
  return BUFFER_LENGTHS.some((length) => {
    try {
      length.call(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** Getters that look into an object of any realm, where `instanceof` knows those of one. */
const ARRAY_NAME = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const BUFFER_LENGTHS = [
  getter(ArrayBuffer.prototype, "byteLength"),
  ...(typeof SharedArrayBuffer === "undefined" ? [] : [getter(SharedArrayBuffer.prototype, "byteLength")]),
];

function getter(prototype: object, name: PropertyKey): (this: unknown) => never {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: unknown) => never;
}

/**
 * The bytes that lie in memory now, at a length that stays though the memory may be resizable.
 * @throws ERR_INPUT where the memory is gone: it was transferred, or shrank below the view.
 */
export function fixedBytes(data: ArrayBufferView | ArrayBufferLike, name: string): Uint8Array {
  try {
    if (!ArrayBuffer.isView(data)) return new Uint8Array(data, 0, data.byteLength);
    // An array whose memory is gone says that it is empty; but it has no elements to ask for.
    if (nameOfArray(data) !== undefined) Uint8Array.prototype.at.call(data as Uint8Array, 0);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `expected memory behind ${name} but it ${GONE}`, { cause });
  }
}

/**
 * A part of samples' bytes that must still be there: others may have run since the samples were checked.
 * @throws ERR_INPUT where their memory is gone.
 */
export function bytesFrom(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (bytes.byteLength < start + length) {
    throw new PolybinError("ERR_INPUT", `expected memory behind the samples but it ${GONE} meanwhile`);
  }
  return bytes.subarray(start, start + length);
}

const GONE = "was transferred or made smaller";

function bytesOfNumbers(data: readonly number[], type: SampleType | undefined) {
  if (type !== undefined && type !== "f64") {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a typed array for samples of type ${type} but received an array of numbers, which counts as f64`,
    );
  }
  const wrong = data.findIndex((value) => typeof value !== "number");
  if (wrong >= 0) throw expected("ERR_INPUT", `samples[${wrong}]`, "a number", data[wrong]);
  return { bytes: new Uint8Array(Float64Array.from(data).buffer), type: "f64" as const };
}

function rowsIn(byteLength: number, rowBytes: number, rowPitch: number): number {
  if (rowBytes === 0 || byteLength < rowBytes) return 0;
  return Math.floor((byteLength - rowBytes) / rowPitch) + 1;
}

/** Without a height the data must end with a row, or with a row and the bytes that pad it. */
function endsOnRow(byteLength: number, rowBytes: number, rowPitch: number): boolean {
  if (rowBytes === 0) return byteLength === 0;
  const over = byteLength % rowPitch;
  return over === 0 || over === rowBytes;
}

function regionOf(region: Region | undefined, width: number, height: number): Region {
  if (region === undefined) return { x: 0, y: 0, width, height };
  checkNames(region, ["x", "y", "width", "height"] satisfies (keyof Region)[], { of: "region" });
  const x = checkedWhole(region.x, "region.x", 0, width);
  const y = checkedWhole(region.y, "region.y", 0, height);
  return {
    x,
    y,
    width: checkedWhole(region.width, "region.width", 0, width - x),
    height: checkedWhole(region.height, "region.height", 0, height - y),
  };
}

/** A whole number within bounds. @throws ERR_INPUT */
export function checkedWhole(
  value: unknown,
  name: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    const bound = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw expected("ERR_INPUT", name, `a whole number ${bound}`, value);
  }
  return value;
}

function describePixel(type: SampleType, channels: number): string {
  return channels === 1 ? `${type} samples` : `pixels of ${channels} ${type} samples`;
}

/** A typed array over bytes: in place where the offset is aligned, else over a copy. */
export function arrayOver(type: SampleType, bytes: Uint8Array): SampleArray {
  const size = SAMPLE_TRAITS[type].bytes;
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  const length = byteLength / size;
  switch (type) {
    case "u8":
      return new Uint8Array(buffer, byteOffset, length);
    case "i8":
      return new Int8Array(buffer, byteOffset, length);
    case "u16":
      return new Uint16Array(buffer, byteOffset, length);
    case "i16":
      return new Int16Array(buffer, byteOffset, length);
    case "u32":
      return new Uint32Array(buffer, byteOffset, length);
    case "i32":
      return new Int32Array(buffer, byteOffset, length);
    case "f32":
      return new Float32Array(buffer, byteOffset, length);
    case "f64":
      return new Float64Array(buffer, byteOffset, length);
  }
}

/** The same memory as unsigned integers of the same width; f64 as twice as many 32-bit words. */
export function bitsOf(array: SampleArray): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, length);
  return new Uint32Array(buffer, byteOffset, (length * BYTES_PER_ELEMENT) / Uint32Array.BYTES_PER_ELEMENT);
}

/**
 * The samples as runs of at most `most` pixels, in order; a run never spans two rows that are apart.
 * Each run is a typed array of interleaved samples, in place where alignment allows.
 */
export function* runs(of: Samples, most: number): Generator<SampleArray> {
  const pixelBytes = SAMPLE_TRAITS[of.type].bytes * of.channels;
  const rows = of.dense ? 1 : of.height;
  const rowPixels = of.dense ? of.pixels : of.width;
  for (let row = 0; row < rows; row++) {
    for (let pixel = 0; pixel < rowPixels; pixel += most) {
      const start = row * of.rowPitch + pixel * pixelBytes;
      const count = Math.min(most, rowPixels - pixel);
      yield arrayOver(of.type, bytesFrom(of.bytes, start, count * pixelBytes));
    }
  }
}
