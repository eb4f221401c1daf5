import { BYTE_VALUES, divideCeiling, HALF_VALUES } from "../base/index.ts";
import { BYTE_NIBBLES, NIBBLE_VALUES } from "./limits.ts";

/** How a feature's values are stored: 4 bits each (two per byte), 8 bits or 16 bits. */
export type ValueType = "u4" | "u8" | "u16";

/** The number of values of each type, which is also the maximum number of bins. */
export const VALUE_TRAITS: Readonly<Record<ValueType, { readonly values: number }>> = {
  u4: { values: NIBBLE_VALUES },
  u8: { values: BYTE_VALUES },
  u16: { values: HALF_VALUES },
};

export const VALUE_TYPES: readonly ValueType[] = Object.keys(VALUE_TRAITS) as ValueType[];

/** Returns the bytes from one feature's first value to the next feature's first value. */
export function rowBytes(type: ValueType, documents: number): number {
  return type === "u4" ? divideCeiling(documents, BYTE_NIBBLES) : type === "u8" ? documents : 2 * documents;
}
