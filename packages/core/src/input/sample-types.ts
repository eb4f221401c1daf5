/**
 * Number formats that can be counted. Formats in byte buffers are little-endian. Devices count the first eight. Core
 * turns the bits of f16 into u16, and 64-bit integers into f64, without changing a bin (axis/counted-as.ts).
 */
export type SampleType = "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64" | "f16" | "i64" | "u64";

/** Properties of a sample type: bytes per sample, whether it is an integer, its range, and what its bits stand for. */
export interface SampleTraits {
  readonly bytes: 1 | 2 | 4 | 8;
  readonly integer: boolean;
  /** Smallest and largest value of an integer type; -Infinity and Infinity for a float type. */
  readonly min: number;
  readonly max: number;
  /** The value of each pattern of 16 bits. Devices count the patterns as u16. Absent: the samples are numbers already. */
  readonly valueOfBits?: (bits: number) => number;
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
  f16: { bytes: 2, integer: false, min: -Infinity, max: Infinity, valueOfBits: valueOfHalf },
  i64: integerTraits(8, true),
  u64: integerTraits(8, false),
};

/** The types of samples. */
export const INPUT_TYPES: readonly SampleType[] = Object.keys(SAMPLE_TRAITS) as SampleType[];
/** The types that devices count. */
export const SAMPLE_TYPES: readonly SampleType[] = INPUT_TYPES.slice(0, 8);

function integerTraits(bytes: 1 | 2 | 4 | 8, signed: boolean): SampleTraits {
  const values = 2 ** (8 * bytes);
  return { bytes, integer: true, min: signed ? -values / 2 : 0, max: (signed ? values / 2 : values) - 1 };
}

/** A typed array of one of the types that devices count. */
export type SampleArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Arrays of f16 and of 64-bit integers. Older compilers do not know the first by its name. */
export type OtherArray =
  | BigInt64Array
  | BigUint64Array
  | (ArrayBufferView & { readonly [Symbol.toStringTag]: "Float16Array" });

/** The typed array of each sample type. */
export interface ArrayOf {
  readonly u8: Uint8Array;
  readonly i8: Int8Array;
  readonly u16: Uint16Array;
  readonly i16: Int16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly f16: typeof globalThis extends { readonly Float16Array: { readonly prototype: infer Halves } }
    ? Halves
    : Extract<OtherArray, { readonly [Symbol.toStringTag]: "Float16Array" }>;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
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
  ["Float16Array", "f16"],
  ["BigInt64Array", "i64"],
  ["BigUint64Array", "u64"],
]);

/**
 * Returns a typed array over bytes: a view if the offset is aligned, otherwise a copy. Samples of f16 become f32. Those
 * of 64-bit integers stay integers, which `doublesOf` converts.
 */
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
    case "f16":
      return Float32Array.from(new Uint16Array(buffer, byteOffset, length), valueOfHalf);
    case "i64":
      return new BigInt64Array(buffer, byteOffset, length) as unknown as SampleArray;
    case "u64":
      return new BigUint64Array(buffer, byteOffset, length) as unknown as SampleArray;
  }
}

/** Returns the value of an f16 from its bits: sign, 5 bits of exponent, 10 bits of fraction. */
export function valueOfHalf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** Returns the type that devices count for samples of a type, if it has as many bytes. */
export function deviceTypeOf(type: SampleType): SampleType {
  return SAMPLE_TRAITS[type].valueOfBits === undefined ? type : "u16";
}

/** Returns a view as unsigned integers of the same width. f64 becomes two 32-bit words per sample. */
export function bitsOf(array: SampleArray): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
  if (BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, byteOffset, length);
  if (BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, byteOffset, length);
  return new Uint32Array(buffer, byteOffset, (length * BYTES_PER_ELEMENT) / Uint32Array.BYTES_PER_ELEMENT);
}
