import type { Some } from "./pairs.ts";

/** Values that occur together in every run: those that failed together before, and what every backend must count. */
export const ALWAYS: readonly Some[] = [
  // 64-bit integers on the device are rounded down, which an infinite end does not mind.
  { type: "u64", axis: "variable infinite", input: "resident" },
  // This thread places wide samples on a circle, so it copies those on the device.
  ...["f32", "u32", "f64"].flatMap((type) =>
    [
      { columns: "one" },
      { columns: "two" },
      { columns: "each channel" },
      { storage: "f64" },
      { way: "accumulate" },
    ].map((also) => ({ type, axis: "circular", input: "resident", ...also })),
  ),
  // This thread finds more cells than an axis has bins, which no device's table holds.
  { columns: "six", rows: "every", size: "2001" },
  { columns: "six", rows: "tiles", size: "2001" },
  ...["f64 Blob", "f64 file", "f64 resident squares"].flatMap((storage) => [
    { storage, columns: "two" },
    { storage, rows: "every", mask: "array" },
  ]),
  ...["every", "offsets", "tiles"].flatMap((rows) => [
    { rows, storage: "f64", mask: "array" },
    { rows, storage: "f32", mask: "bits", columns: "two" },
  ]),
  ...["Blob", "file", "uneven pieces"].flatMap((input) => [
    { input, mask: "array" },
    { input, mask: "Blob", columns: "two" },
    { input, mask: "file", storage: "f64" },
  ]),
  ...["count", "countSync", "countAll", "accumulate"].flatMap((way) => [
    { way, columns: "two" },
    { way, columns: "two", rows: "2 groups" },
    { way, columns: "three", mask: "array" },
  ]),
  ...["count", "countAll", "accumulate"].map((way) => ({ way, columns: "two", storage: "f64" })),
  ...["category", "boolean", "circular"].flatMap((axis) =>
    ["u8", "i16"].map((type) => ({ axis, type, way: "encode" })),
  ),
  ...["category", "boolean"].map((axis) => ({ axis, type: "f32", way: "encode" })),
  ...["i64", "u64"].flatMap((type) =>
    [{ columns: "two" }, { storage: "f64" }, { rows: "every" }, { way: "count" }].map((also) => ({
      ...{ type, input: "file" },
      ...also,
    })),
  ),
];
