import type { ColumnJson, ProfileJson, SampleJson } from "../profile/index.ts";
import { percent, plural, whole } from "./text/numbers.ts";
import { computedText, placeOf, valueText } from "./text/values.ts";
import { plainName } from "./text/visible.ts";

/** Something that a reader of a profile should know before trusting a column. */
export interface Finding {
  /** The index of the column. Null if it holds for the whole profile. */
  readonly column: number | null;
  /** A warning is about missing or unusable values, a note about the values themselves. */
  readonly level: "warning" | "note";
  /** Two or three words, such as "40% null". */
  readonly badge: string;
  /** A sentence about the column. */
  readonly text: string;
}

/** A column with a larger share of nulls has a warning. */
const MANY_NULLS = 0.2;
/** A value that takes a larger share of the values is named. */
const DOMINANT = 0.9;
/** The range is this number of times as wide as the middle of the values if there are far outliers. */
const FAR = 10;
const NAME = 60;

type Rule = (column: ColumnJson, profile: ProfileJson) => Omit<Finding, "column"> | null;

const RULES: readonly Rule[] = [
  refused,
  partly,
  nulls,
  notANumber,
  infinities,
  constant,
  different,
  dominant,
  far,
];

/** Finds what stands out in a profile: columns in order, then statements about all of them. */
export function findings(profile: ProfileJson): Finding[] {
  const found: Finding[] = [];
  if ((profile.sample?.of ?? profile.rows) === 0) {
    found.push({ column: null, level: "warning", badge: "no rows", text: "The files have no rows." });
  }
  if (profile.sample !== undefined) found.push({ column: null, ...sampled(profile.rows, profile.sample) });
  for (const [column, json] of profile.columns.entries()) {
    for (const rule of RULES) {
      const finding = rule(json, profile);
      if (finding !== null) found.push({ column, ...finding });
    }
  }
  const repeated = profile.duplicates?.rows ?? 0;
  if (repeated > 0) {
    const text = `${plural(repeated, "row")} (${percent(repeated, profile.rows)}) ${repeated === 1 ? "equals" : "equal"} an earlier row.`;
    found.push({ column: null, level: "warning", badge: "duplicates", text });
  }
  const estimated = profile.columns.filter(({ distinct }) => distinct?.exact === false);
  if (estimated.length > 0) {
    const text =
      estimated.length === 1
        ? `The number of different values of ${plainName(estimated[0]!.name, NAME)} is an estimate.`
        : `The numbers of different values of ${estimated.length} columns are estimates.`;
    found.push({ column: null, level: "note", badge: "estimate", text });
  }
  return found;
}

/** The meaning of a sample for all rows. */
function sampled(rows: number, { of, seed }: SampleJson) {
  const text =
    `This is a random sample (seed ${seed}): ${whole(rows)} of ${plural(of, "row")}. Shares, means, quantiles and histograms ` +
    "estimate those of all rows. Smallest and largest values, different values and duplicates are those of the sample.";
  return warning("sample", text);
}

const values = ({ rows, nulls }: ColumnJson): number => rows - (nulls ?? 0);

function refused({ logical }: ColumnJson) {
  if (logical.kind !== "refused") return null;
  return warning("not counted", `The values are not counted: ${logical.reason}.`);
}

function partly({ rows }: ColumnJson, profile: ProfileJson) {
  if (rows >= profile.rows) return null;
  return warning(
    "in some files",
    `Only ${whole(rows)} of ${plural(profile.rows, "row")} lie in files that have this column.`,
  );
}

function nulls({ rows, nulls }: ColumnJson) {
  if (rows === 0 || nulls === null || nulls < MANY_NULLS * rows) return null;
  if (nulls === rows) return warning("only nulls", "Every value is null.");
  const share = percent(nulls, rows);
  return warning(`${share} null`, `${share} of the values are null.`);
}

function notANumber(column: ColumnJson) {
  if (column.nan === 0) return null;
  const share = percent(column.nan, values(column));
  return warning(
    `${share} NaN`,
    `${plural(column.nan, "value")} (${share}) ${are(column.nan)} not a number.`,
  );
}

function infinities({ infinite: { negative, positive } }: ColumnJson) {
  const all = negative + positive;
  if (all === 0) return null;
  return warning(
    plural(all, "infinity").replace(/ys$/, "ies"),
    `${plural(all, "value")} ${are(all)} infinite.`,
  );
}

function constant(column: ColumnJson) {
  const { distinct, top, logical, nan } = column;
  if (distinct?.exact !== true || distinct.value !== 1 || nan > 0 || values(column) < 2) return null;
  const value = top[0] === undefined ? "" : `: ${plainName(valueText(top[0].value, logical), NAME)}`;
  return warning("constant", `All values that are not null are the same${value}.`);
}

/** An identifier, most likely. Measured numbers are often all different and mean nothing by it. */
function different(column: ColumnJson) {
  const { distinct, logical } = column;
  const isMeasured = logical.kind === "number" && /^f\d/.test(logical.type);
  if (distinct?.exact !== true || isMeasured || distinct.value < 2 || distinct.value < values(column))
    return null;
  return note("all different", "No value occurs twice.");
}

function dominant(column: ColumnJson) {
  const { distinct, top, logical } = column;
  const [first] = top;
  if (first === undefined || distinct === null || distinct.value < 2 || logical.kind === "boolean")
    return null;
  if (first.count < DOMINANT * values(column)) return null;
  const share = percent(first.count, values(column));
  const value = first.value === "" ? "empty" : plainName(valueText(first.value, logical), NAME);
  return note(`${share} the same`, `${share} of the values are ${value}.`);
}

function far({ core, min, max, logical }: ColumnJson) {
  if (core === undefined || min === null || max === null) return null;
  const [lo, hi] = [core.edges[0]!, core.edges.at(-1)!];
  if (placeOf(max, logical) - placeOf(min, logical) < FAR * (placeOf(hi, logical) - placeOf(lo, logical)))
    return null;
  const [below, above] = [
    placeOf(lo, logical) - placeOf(min, logical),
    placeOf(max, logical) - placeOf(hi, logical),
  ];
  const [word, value] = above >= below ? (["largest", max] as const) : (["smallest", min] as const);
  const text = (edge: number): string => computedText(edge, logical, hi - lo);
  return note(
    "far outliers",
    `The ${word} value, ${valueText(value, logical)}, lies far outside of the middle 98%: ${text(lo)} to ${text(hi)}.`,
  );
}

const are = (count: number): string => (count === 1 ? "is" : "are");
const warning = (badge: string, text: string) => ({ level: "warning", badge, text }) as const;
const note = (badge: string, text: string) => ({ level: "note", badge, text }) as const;
