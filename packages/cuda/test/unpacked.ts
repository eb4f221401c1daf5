import { type Described, Plan, WeightedPlan } from "../src/border/index.ts";

/** The fields of a packed struct, all as numbers. */
function unpacked<P extends Described>(
  { struct: { fields, offsets } }: P,
  bytes: Uint8Array,
): { readonly [name in keyof P["parts"]]: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (type: string, at: number) =>
    type === "u64" ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true);
  return Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [name, numberAt(type, offsets[name]!)]),
  ) as never;
}

export const planNumbers = (bytes: Uint8Array) => unpacked(Plan, bytes);
export const weightedNumbers = (bytes: Uint8Array) => unpacked(WeightedPlan, bytes);
