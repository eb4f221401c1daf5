import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { FORMS } from "../request/samples.ts";
import { AXIS_KINDS } from "./axes.ts";

/** A part of a combination. */
export type Part =
  | ("columns" | "type" | "axis" | "layout" | "input" | "otherType" | "otherAxis" | "otherInput" | "size")
  | ("mask" | "list" | "rows" | "storage" | "way" | "algorithm" | "method");

/** The values that combinations have. */
export type Values = Readonly<Record<Part, readonly string[]>>;

/** The values of each part, the simplest first. Algorithms depend on the backend. */
export const PARTS: Values = {
  /** How many columns, and how they are given. */
  columns: [
    "one",
    "two",
    "three",
    "six",
    "channels of one",
    "joint channels",
    "each channel",
    "each with its axis",
  ],
  type: Object.keys(SAMPLE_TRAITS),
  axis: AXIS_KINDS,
  layout: [
    ...["plain", "2 channels", "3 channels", "4 channels", "rows", "padded rows", "rows at odd bytes"],
    ...[
      "region",
      "region at the border",
      "region of one pixel",
      "region of no pixel",
      "3 channels of a region",
    ],
  ],
  input: FORMS,
  /** The second column's. */
  otherType: Object.keys(SAMPLE_TRAITS),
  otherAxis: AXIS_KINDS,
  otherInput: ["array", "shared", "resident", "Blob", "uneven pieces", "file"],
  size: ["333", "0", "1", "9", "64", "2001"],
  mask: ["none", "array", "bits", "unaligned", "resident", "Blob", "single bytes", "file"],
  list: ["none", "some", "repeated"],
  rows: [
    ...["one", "every", "offsets", "tiles", "rows that stay", "2 groups", "300 groups"],
    ...["groups of a resident", "groups of a Blob", "groups of a file"],
  ],
  storage: [
    ...[
      "counts",
      "f64",
      "f32",
      "f64 squares",
      "f64 fast",
      "f32 fast squares",
      "numbers",
      "u8",
      "f64 channel",
      "f64 list",
      "f32 list squares",
    ],
    ...[
      "f32 resident",
      "f64 resident squares",
      "f64 Blob",
      "f32 uneven pieces squares",
      "f64 file",
      "f32 file fast",
    ],
    "f32 channel of uneven pieces",
  ],
  way: ["call", "count", "countSync", "countAll", "accumulate", "encode"],
  /** Algorithms of counts and of sums: "auto" or a slug. */
  algorithm: ["auto"],
  method: ["auto"],
};

export const PART_NAMES: readonly Part[] = Object.keys(PARTS) as readonly Part[];

/** One value of each part. */
export type Combination = Readonly<Record<Part, string>>;

export const SIMPLEST: Combination = Object.fromEntries(
  PART_NAMES.map((part) => [part, PARTS[part][0]]),
) as Combination;

/** Returns the values of all parts for the algorithms that a backend claims. */
export function valuesFor({
  slugs,
  methods,
}: {
  slugs: readonly string[];
  methods: readonly string[];
}): Values {
  return { ...PARTS, algorithm: ["auto", ...slugs], method: ["auto", ...methods] };
}

/** Whether a combination counts several columns together or one by one. */
export const isSeveral = ({ columns }: Combination): boolean => columns !== "one";
/** Whether all columns are channels of one input. */
export const isOneInput = ({ columns }: Combination): boolean =>
  isSeveral({ columns } as Combination) && !["two", "three", "six"].includes(columns);
export const hasGroups = ({ rows }: Combination): boolean => rows.includes("groups");
export const hasSegments = ({ rows }: Combination): boolean => rows !== "one" && !rows.includes("groups");

/** Parts that mean nothing in a combination, such as the form of weights without weights. */
function isIdle(part: Part, of: Combination): boolean {
  switch (part) {
    case "otherType":
    case "otherAxis":
    case "otherInput":
      return !isSeveral(of) || (isOneInput(of) && part !== "otherAxis") || of.columns === "each channel";
    case "method":
      return of.storage === "counts";
    case "algorithm":
      return of.storage !== "counts";
    default:
      return false;
  }
}

/** Replaces values that mean nothing by the simplest ones. */
export function normal(of: Combination): Combination {
  const out: Record<Part, string> = { ...of };
  for (const part of PART_NAMES) if (isIdle(part, of)) out[part] = SIMPLEST[part];
  return out;
}

/** Returns a combination in words. Values that are the simplest ones are left out, except for the first column's. */
export function nameOf(of: Combination): string {
  const said = (part: Part, as: (value: string) => string = (value) => value) =>
    of[part] === SIMPLEST[part] ? [] : [as(of[part])];
  const first = [of.type, of.axis, ...said("layout"), of.input];
  const other = isIdle("otherAxis", of)
    ? []
    : isIdle("otherType", of)
      ? [`next in ${of.otherAxis}`]
      : [`${of.otherType} in ${of.otherAxis}, ${of.otherInput}`];
  const [type, axis, ...form] = first;
  return [
    [`${type} in ${axis}`, ...form].join(", "),
    ...said("columns"),
    ...other,
    `${of.size} samples`,
    ...said("mask", (mask) => `mask: ${mask}`),
    ...said("list", (list) => `list: ${list}`),
    ...said("rows"),
    ...said("storage", (storage) => `weights: ${storage}`),
    ...said("way"),
    ...said("algorithm"),
    ...said("method"),
  ].join("; ");
}
