import {
  type Fields,
  type FieldType,
  type FieldValues,
  pack,
  type Struct,
  struct,
} from "@polybin/core/backend";

// The few words in which what crosses into native code is described. scripts/generate.mjs writes C++ of them: structs,
// enumerations, and readers that check what they read.

/** Names for the numbers from 0 on; in C++ an `enum class`. */
export interface Enumeration<N extends string = string> {
  readonly enumeration: string;
  readonly values: readonly N[];
}

export function enumeration<const N extends string>(name: string, values: readonly N[]): Enumeration<N> {
  return { enumeration: name, values };
}

/** A u32 that is no less and no more. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a field of a struct may be. */
export type Part = FieldType | Enumeration | Range;
export type Parts = Readonly<Record<string, Part>>;

/** What a field is given: of an enumeration one of its names. Of a struct that is not known, any of these. */
export type PartValues<P extends Parts> = string extends keyof P
  ? Readonly<Record<string, number | boolean | string>>
  : {
      readonly [name in keyof P]: P[name] extends Enumeration<infer N>
        ? N
        : P[name] extends "bool"
          ? boolean
          : number;
    };

/** Numbers that cross as bytes: a struct of core's, some of whose words may be only some numbers. */
export interface Described<P extends Parts = Parts> {
  readonly struct: Struct;
  readonly parts: P;
}

export function described<const P extends Parts>(name: string, parts: P): Described<P> {
  const fields: Record<string, FieldType> = {};
  for (const [field, part] of Object.entries(parts)) fields[field] = typeof part === "string" ? part : "u32";
  return Object.freeze({ struct: struct(name, fields), parts });
}

/** The bytes of a struct. @throws ERR_INTERNAL for a value that a field does not hold. */
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

/** What a field of a message may be. */
export type Field =
  /** A number or a switch or a text as JavaScript has it. */
  | "u32"
  | "i32"
  | "u64"
  | "bool"
  | "text"
  /** The number of one of its names. */
  | Enumeration
  /** Memory that is read, of one of these types. */
  | { readonly array: readonly Element[] }
  /** One element in shared memory, which is written to. */
  | { readonly shared: Element }
  /** Memory that is written to, of one of these types. */
  | { readonly written: readonly Element[] }
  /** A struct's bytes. */
  | Described
  /** Bytes of a struct that the addon knows by the algorithm. */
  | { readonly own: number }
  /** So many numbers at the most. */
  | { readonly few: number }
  | Message
  | { readonly list: Message }
  /** What need not be there; `otherwise` stands for it in C++. */
  | { readonly optional: Field; readonly otherwise?: number };

/** An object of JavaScript's that crosses; in C++ a struct and a reader. */
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

/** What a message's fields are in TypeScript. */
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
            : F extends Described | { readonly own: number }
              ? Uint8Array
              : F extends { readonly few: number }
                ? readonly number[]
                : F extends Message
                  ? Sent<F>
                  : F extends { readonly list: infer M }
                    ? readonly Sent<M>[]
                    : F extends { readonly optional: infer O }
                      ? Value<O> | null | undefined
                      : never;
