import { adviceFor, adviceForName, checkNames, expected, PolybinError } from "../base/index.ts";
import { bytesFrom, isBuffer, memoryOf, nameOfArray } from "./bytes.ts";
import { MAX_CHANNELS } from "./limits.ts";
import type { OtherArray, SampleArray, SampleType } from "./sample-types.ts";
import { ARRAY_TYPES, arrayOver, INPUT_TYPES, SAMPLE_TRAITS } from "./sample-types.ts";

/** Raw memory. The `buffer` property excludes typed arrays, which older compilers consider compatible. */
type Memory = ArrayBufferLike & { readonly buffer?: never };

/** A rectangle of pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Describes samples. Only `data` is required.
 *
 * `data` is a typed array (its type is the sample type), an array of numbers (counted as f64), or bytes. Bytes are an
 * ArrayBuffer, a SharedArrayBuffer, a DataView, or a Uint8Array with `type`. They hold little-endian values at any
 * byte offset.
 */
export interface SamplesInit {
  /** The samples. */
  readonly data: SampleArray | OtherArray | Uint8ClampedArray | DataView | Memory | readonly number[];
  /** Sample type. Default: that of the array, "u8" for bytes, or "f64" for an array of numbers. */
  readonly type?: SampleType;
  /** Interleaved samples per pixel, 1 to 4. Default: 1, or 4 for an ImageData. */
  readonly channels?: number;
  /** Pixels per row. Default: all pixels form one row. */
  readonly width?: number;
  /**
   * Number of rows. Default: the rows that the data holds. The last row may be followed by padding, but by nothing
   * else.
   */
  readonly height?: number;
  /** Bytes from the start of one row to the start of the next. Default: rows are dense. */
  readonly rowPitch?: number;
  /** The pixels to count. Default: all. */
  readonly region?: Region;
}

/** Checked samples: `height` rows of `width` pixels of `channels` samples in `bytes`. */
export interface Samples {
  readonly type: SampleType;
  /** All bytes from the first sample to the last one. Rows are `rowPitch` bytes apart. */
  readonly bytes: Uint8Array;
  readonly channels: number;
  /** Pixels per row. */
  readonly width: number;
  /** Number of rows. */
  readonly height: number;
  /** Bytes from row to row. */
  readonly rowPitch: number;
  /** Number of pixels, which is the number of samples per channel. */
  readonly pixels: number;
  /** Whether no bytes lie between rows, so that all rows form one run. */
  readonly dense: boolean;
}

/** Returns true if the value describes samples rather than being an array of them. */
export function isSamplesInit(value: unknown): value is SamplesInit {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && "data" in value;
}

/**
 * Checks a description of samples and converts it to one form. It copies nothing except arrays of numbers.
 * @param untyped the type of the samples if the input is plain memory: a buffer or a DataView. Default: "u8".
 * @throws ERR_INPUT if the description does not fit the data.
 */
export function samples(input: SamplesInit | SamplesInit["data"], untyped?: SampleType): Samples {
  if (ArrayBuffer.isView(input)) {
    const type = ARRAY_TYPES.get(nameOfArray(input));
    // This is a fast path for the most common input.
    if (type !== undefined) {
      const bytes = memoryOf(input);
      const { length } = input as SampleArray;
      return layout({ type, bytes, channels: 1, width: length, height: 1, rowPitch: bytes.byteLength });
    }
  }
  const init: SamplesInit = isSamplesInit(input) ? input : described(input, untyped);
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
      throw new PolybinError("ERR_INPUT", "expected width with height, rowPitch or region but it is missing");
    }
    if (bytes.byteLength % pixelBytes !== 0) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a whole number of ${describePixel(type, channels)} (${pixelBytes} bytes each) but received ` +
          `${bytes.byteLength} bytes`,
      );
    }
    const { byteLength } = bytes;
    return layout({ type, bytes, channels, width: byteLength / pixelBytes, height: 1, rowPitch: byteLength });
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
  const counted = bytes.subarray(length === 0 ? 0 : start, length === 0 ? 0 : start + length);
  return layout({ type, bytes: counted, channels, width: region.width, height: region.height, rowPitch });
}

/** Describes plain memory by the type that the call names. Arrays have a type of their own. */
function described(data: SamplesInit["data"], untyped: SampleType | undefined): SamplesInit {
  const isPlain = ArrayBuffer.isView(data) ? nameOfArray(data) === undefined : isBuffer(data);
  return isPlain && untyped !== undefined ? { data, type: untyped } : { data };
}

/** Suggests `channels` if the data has a whole multiple of the expected bytes. */
function guessedChannels({ channels }: SamplesInit, times: number): string {
  const isMore = Number.isInteger(times) && times > 1 && times <= MAX_CHANNELS;
  return channels === undefined && isMore ? `; did you mean channels: ${times}?` : "";
}

/** Properties that a description may have. The last two are properties of ImageData that do not affect counting. */
const NAMES: readonly string[] = [
  ...(["data", "type", "channels", "width", "height", "rowPitch", "region"] satisfies (keyof SamplesInit)[]),
  "colorSpace",
  "pixelFormat",
];

/** Red, green, blue and alpha. */
const IMAGE_CHANNELS = 4;

/** Returns true for an ImageData, or an object with the same properties. */
function isImage({ data, width = Number.NaN, height = Number.NaN }: SamplesInit): boolean {
  return (
    ArrayBuffer.isView(data) &&
    nameOfArray(data) === "Uint8ClampedArray" &&
    data.byteLength === width * height * IMAGE_CHANNELS
  );
}

/** Returns a checked number of interleaved channels. @throws ERR_INPUT unless it is 1 to 4. */
export function checkedChannels(channels: unknown, name: string): number {
  return checkedWhole(channels, name, 1, MAX_CHANNELS);
}

function layout(of: Omit<Samples, "pixels" | "dense">): Samples {
  const { type, bytes, channels, width, height, rowPitch } = of;
  const dense = height <= 1 || rowPitch === width * channels * SAMPLE_TRAITS[type].bytes;
  return Object.freeze({ type, bytes, channels, width, height, rowPitch, pixels: width * height, dense });
}

function bytesOf(init: SamplesInit): { bytes: Uint8Array; type: SampleType } {
  const { data, type } = init;
  const wrong = (name: string, what: string): PolybinError =>
    expected("ERR_INPUT", name, what, data, { helps: adviceFor(data) });
  if (type !== undefined && !INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
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
    if (found === undefined) throw wrong("data", `a typed array of ${INPUT_TYPES.join(", ")}`);
    return { bytes, type: type ?? found };
  }
  if (isBuffer(data)) {
    return { bytes: memoryOf(data), type: type ?? "u8" };
  }
  throw wrong("samples", "a typed array, a buffer or an array of numbers");
}

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

/** Without a height, the data must end with a row, or with a row and its padding. */
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

/** Returns a checked whole number within bounds. @throws ERR_INPUT */
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

/**
 * Yields the samples as runs of at most `most` pixels, in order. A run never spans rows that are not adjacent. Each
 * run is a typed array of interleaved samples, without a copy if alignment allows.
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
