/** Number formats that can be counted. Formats in byte buffers are little-endian. */
export type SampleType = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64";

/** Properties of a sample type: bytes per sample, whether it is an integer, and its range. */
export interface SampleTraits {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly integer: boolean;
  /** Smallest and largest value of an integer type; -Infinity and Infinity for a float type. */
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

/** A typed array of one of the eight sample types. */
export type SampleArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

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

/** Returns a typed array over bytes: a view if the offset is aligned, otherwise a copy. */
export function arrayOver(type: SampleType, bytes: Uint8Array): SampleArray {
  const size = SAMPLE_TRAITS[type].bytes;
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  const length = byteLength / size;
  switch (type) {
    case "u8":
      return aligned;
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

/** Returns a view as unsigned integers of the same width. f64 becomes two 32-bit words per sample. */
export function bitsOf(array: SampleArray): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, length);
  return new Uint32Array(buffer, byteOffset, (length * BYTES_PER_ELEMENT) / Uint32Array.BYTES_PER_ELEMENT);
}
