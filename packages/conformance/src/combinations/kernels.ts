import type { Some } from "./pairs.ts";
import { PARTS, type Part } from "./parts.ts";

/** Values with which nothing is prepared on the host, so that a device's own kernels count. */
const COUNTS: Some = { storage: "counts", way: "call" };
const WHOLE: Some = { ...COUNTS, columns: "one", mask: "none", list: "none" };

/** The axes whose bins are not ascending intervals of all numbers. */
const OTHER_AXES = [
  "regular open",
  "variable open",
  "variable infinite",
  "category",
  "words",
  "boolean",
  "circular",
];

const each = (part: Part, of: Some, more: readonly Some[] = [{}]): Some[] =>
  PARTS[part].flatMap((value) => more.map((also) => ({ ...of, ...also, [part]: value })));

/**
 * Values for the kernels of one column, of segments, of several columns, and of selections and groups. Pairs alone would
 * occur next to weights most of the time, whose cells the host finds.
 */
export const KERNELS: readonly Some[] = [
  ...OTHER_AXES.flatMap((axis) => each("type", { ...WHOLE, rows: "one", axis })),
  ...each("type", WHOLE, [{ rows: "every" }, { rows: "offsets" }]),
  ...each("axis", { ...WHOLE, rows: "offsets" }),
  ...each("layout", { ...WHOLE, rows: "every", input: "array" }),
  ...each("layout", { ...WHOLE, rows: "tiles", input: "resident" }),
  ...each("input", { ...WHOLE, rows: "every" }),
  ...each("type", { ...COUNTS, columns: "two", rows: "one" }, [
    { mask: "none" },
    { mask: "array" },
    { mask: "bits" },
  ]),
  ...each("otherType", { ...COUNTS, columns: "two", rows: "one", list: "none" }, [{ mask: "resident" }]),
  ...each("axis", { ...COUNTS, columns: "three", rows: "one" }),
  ...each("layout", { ...COUNTS, columns: "two", rows: "one", otherInput: "array", input: "array" }),
  ...each("input", { ...COUNTS, columns: "two", rows: "one", mask: "array" }),
  ...each("mask", { ...COUNTS, columns: "two", rows: "one" }, [{ size: "64" }, { size: "2001" }]),
  ...each("type", { ...COUNTS, columns: "one", rows: "one", mask: "array" }),
  ...each("type", { ...COUNTS, columns: "one", rows: "2 groups" }),
  ...each("axis", { ...COUNTS, columns: "one", rows: "300 groups" }),
  ...each("layout", { ...COUNTS, columns: "each channel", mask: "array" }),
];
