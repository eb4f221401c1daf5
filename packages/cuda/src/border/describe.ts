import {
  type Fields,
  type FieldType,
  type FieldValues,
  pack,
  type Struct,
  struct,
} from "@polybin/core/backend";

// Describes the data that cross into native code. scripts/generate.mjs writes C++ from these descriptions: structs,
// enumerations, and readers that check what they read.

/** Names for the numbers from 0 on. In C++ it is an `enum class`. */
export interface Enumeration<N extends string = string> {
  readonly enumeration: string;
  readonly values: readonly N[];
}

export function enumeration<const N extends string>(name: string, values: readonly N[]): Enumeration<N> {
  return { enumeration: name, values };
}

/** A u32 between two limits, both included. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** The types of a struct's fields. */
export type Part = FieldType | Enumeration | Range;
export type Parts = Readonly<Record<string, Part>>;

/**
 * The values of a struct's fields. An enumeration's value is one of its names. A struct that is not known accepts any
 * of these.
 */
export type PartValues<P extends Parts> = string extends keyof P
  ? Readonly<Record<string, number | boolean | string>>
  : {
      readonly [name in keyof P]: P[name] extends Enumeration<infer N>
        ? N
        : P[name] extends "bool"
          ? boolean
          : number;
    };

/** Numbers that cross as bytes: one of core's structs, some of whose words accept only certain numbers. */
export interface Described<P extends Parts = Parts> {
  readonly struct: Struct;
  readonly parts: P;
}

export function described<const P extends Parts>(name: string, parts: P): Described<P> {
  const fields: Record<string, FieldType> = {};
  for (const [field, part] of Object.entries(parts)) fields[field] = typeof part === "string" ? part : "u32";
  return Object.freeze({ struct: struct(name, fields), parts });
}

/** Packs a struct into bytes. @throws ERR_INTERNAL for a value that a field cannot hold. */
export function packed<P extends Parts>(
  { struct: of, parts }: Described<P>,
  values: PartValues<P>,
): Uint8Array {
  const numbers: Record<string, unknown> = { ...values };
  for (const [field, part] of Object.entries(parts)) {
    if (isEnumeration(part)) numbers[field] = part.values.indexOf(numbers[field] as string);
  }
  const bytes = new Uint8Array(of.bytes);
  pack(of, numbers as FieldValues<Fields>, new DataView(bytes.buffer));
  return bytes;
}

function isEnumeration(part: Part): part is Enumeration {
  return typeof part === "object" && "enumeration" in part;
}

/** Typed arrays by their elements. */
export interface Arrays {
  readonly u8: Uint8Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly i64: BigInt64Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}
export type Element = keyof Arrays;

/** The types of a message's fields. */
export type Field =
  /** A number, a boolean or a text of JavaScript. */
  | "u32"
  | "i32"
  | "u64"
  | "bool"
  | "text"
  /** The number of one of its names. */
  | Enumeration
  /** Memory to read, with one of these types. */
  | { readonly array: readonly Element[] }
  /** The same, but its numbers are copied. */
  | { readonly copied: "u32" }
  /** One element in shared memory, which native code writes. */
  | { readonly shared: Element }
  /** Memory to write, with one of these types. */
  | { readonly written: readonly Element[] }
  /** A struct's bytes. */
  | Described
  /** Bytes of a struct that the addon identifies by the algorithm. */
  | { readonly own: number }
  /** At most this number of numbers. */
  | { readonly few: number }
  | Message
  | { readonly list: Message }
  /** A message that crosses once. The addon keeps what it read with the object, which must not change. */
  | { readonly once: Message }
  /** A field that may be missing. C++ then uses `otherwise`. */
  | { readonly optional: Field; readonly otherwise?: number };

/** An object of JavaScript that crosses. In C++ it is a struct and a reader. */
export interface Message<F extends Readonly<Record<string, Field>> = Readonly<Record<string, Field>>> {
  readonly message: string;
  readonly fields: F;
}

export function message<const F extends Readonly<Record<string, Field>>>(
  name: string,
  fields: F,
): Message<F> {
  return { message: name, fields };
}

/** The TypeScript types of a message's fields. */
export type Sent<M> =
  M extends Message<infer F>
    ? { readonly [name in Needed<F>]: Value<F[name]> } & {
        readonly [name in Exclude<keyof F, Needed<F>>]?: Value<F[name]>;
      }
    : never;

type Needed<F> = {
  [name in keyof F]: F[name] extends { readonly optional: unknown } ? never : name;
}[keyof F];

type Value<F> = F extends "u32" | "i32" | "u64" | Enumeration
  ? number
  : F extends "bool"
    ? boolean
    : F extends "text"
      ? string
      : F extends { readonly array: readonly (infer E extends Element)[] }
        ? Arrays[E]
        : F extends { readonly shared: infer E extends Element }
          ? Arrays[E]
          : F extends { readonly written: readonly (infer E extends Element)[] }
            ? Arrays[E]
            : F extends { readonly copied: "u32" }
              ? Uint32Array
              : F extends Described | { readonly own: number }
                ? Uint8Array
                : F extends { readonly few: number }
                  ? readonly number[]
                  : F extends Message
                    ? Sent<F>
                    : F extends { readonly list: infer M }
                      ? readonly Sent<M>[]
                      : F extends { readonly once: infer M }
                        ? Sent<M>
                        : F extends { readonly optional: infer O }
                          ? Value<O> | null | undefined
                          : never;
