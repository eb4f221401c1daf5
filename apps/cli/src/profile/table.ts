import type { ColumnJson, JointJson, ProfileJson } from "@polybin/columns/profile";
import { nullsTogether, strongest, valueText } from "@polybin/columns/profile";
import { wrapAnsi } from "fast-wrap-ansi";
import { columnName, duration, inputName, plural, printable, throughput, whole } from "../base/index.ts";
import { type Page, stdoutPage } from "../terminal/index.ts";
import { aligned, type ColumnCells, cellsOf, clip, GAP, share } from "./cells.ts";
import { overLines } from "./over.ts";
import { sparkline } from "./sparkline.ts";

/** The narrowest and the widest that a distribution is drawn. */
const NARROWEST = 12;
const WIDEST = 40;

/** The cells of the table, in the order in which a narrow terminal gives them up: the last ones first. */
const FIELDS = ["column", "type", "nulls", "distinct", "median", "max", "min", "mean", "stddev"] as const;
type Field = (typeof FIELDS)[number];
/** The order in which they are printed. */
const PRINTED: readonly Field[] = [
  "column",
  "type",
  "nulls",
  "distinct",
  "min",
  "median",
  "max",
  "mean",
  "stddev",
];
/** The fewest fields that make a table. With less room, each column is a paragraph. */
const FEWEST = 5;
const TEXTS: ReadonlySet<Field> = new Set(["column", "type"]);

/** The profile as a table for a terminal. */
export function profileTable(profile: ProfileJson, byAuto: boolean, page: Page = stdoutPage()): string {
  const wrapped = (text: string): string => wrapAnsi(text, page.width);
  const lines = [
    wrapped(title(profile)),
    "",
    ...(profile.columns.length === 0 ? ["no columns"] : body(profile, page)),
    "",
    ...profile.columns.flatMap(notes).map(wrapped),
    ...profile.joint.map(jointLine).map(wrapped),
    ...sampleLines(profile).map(wrapped),
    ...overLines(profile, page),
    ...correlationLines(profile).map(wrapped),
    ...duplicateLines(profile).map(wrapped),
    ...work(profile, byAuto).map(wrapped),
  ];
  return `${lines.join("\n").replaceAll("\n\n\n", "\n\n")}\n`;
}

function title({ files, rows, sample, columns }: ProfileJson): string {
  const name = files.length === 1 ? inputName(files[0]!.name) : plural(files.length, "file");
  const formats = [...new Set(files.map(({ format }) => format))].join(", ");
  const of = sample === undefined ? "" : ` (a sample of ${whole(sample.of)})`;
  return `${name}  ${plural(rows, "row")}${of}, ${plural(columns.length, "column")} (${formats})`;
}

/** The meaning of a sample for all rows. */
function sampleLines({ sample, rows }: ProfileJson): string[] {
  if (sample === undefined) return [];
  return [
    `sample: ${whole(rows)} of ${plural(sample.of, "row")}, chosen at random (seed ${sample.seed}). Shares, means, quantiles and ` +
      "distributions estimate those of all rows. Smallest and largest values, different values and duplicates are those of the sample",
    "",
  ];
}

function body(profile: ProfileJson, { width }: Page): string[] {
  const cells = profile.columns.map(cellsOf);
  for (let count = FIELDS.length; count >= FEWEST; count--) {
    const kept = new Set<Field>(FIELDS.slice(0, count));
    const fields = PRINTED.filter((field) => kept.has(field));
    const left = aligned(fields, cells, TEXTS);
    const room = Math.min(WIDEST, width - left[0]!.length - GAP.length);
    if (room < NARROWEST) continue;
    const drawn = ["distribution", ...profile.columns.map((column) => distribution(column, room))];
    return left.map((line, i) => `${line}${GAP}${drawn[i]!.slice(0, room)}`.trimEnd());
  }
  return profile.columns.flatMap((column, i) => paragraph(column, cells[i]!, width));
}

/** A column on a narrow terminal. */
function paragraph(column: ColumnJson, cells: ColumnCells, width: number): string[] {
  const facts = (["nulls", "distinct", "min", "median", "max", "mean", "stddev"] as const)
    .filter((field) => cells[field] !== "")
    .map((field) => `${field}\u00a0${cells[field]}`);
  return [
    wrapAnsi(`${cells.column}  ${cells.type}`, width),
    ...wrapAnsi(facts.join(" · "), width - GAP.length)
      .split("\n")
      .map((line) => `${GAP}${line.replaceAll("\u00a0", " ")}`),
    `${GAP}${distribution(column, Math.min(WIDEST, width - GAP.length))}`.trimEnd(),
    "",
  ];
}

/** A sparkline of numbers. For strings, the most frequent ones with their shares. */
function distribution(column: ColumnJson, room: number): string {
  const { logical, histogram, core, top, rows, nulls, topBound } = column;
  if (logical.kind === "refused") return "not read";
  if (logical.kind !== "string") {
    const drawn = core ?? histogram;
    return drawn === null ? "" : sparkline(drawn.counts, room);
  }
  if (top.length === 0) {
    return topBound === null || topBound === 0
      ? ""
      : clip(`each at most ${share(topBound, rows - (nulls ?? 0))}`, room);
  }
  const parts = top.map(
    ({ value, count }) => `${printable(String(value)) || '""'} ${share(count, rows - (nulls ?? 0))}`,
  );
  let text = parts[0]!;
  for (const part of parts.slice(1)) if (`${text}, ${part}`.length <= room) text += `, ${part}`;
  return clip(text, room);
}

/** A pattern that this share of the strings has is named. */
const COMMON = 0.8;

/** Whether a pattern says more than that there are letters. */
const isTelling = (pattern: string): boolean => /[^Aa]/.test(pattern);

/** The facts that have no cell. */
function notes({
  name,
  nan,
  infinite,
  distinct,
  top,
  topBound,
  logical,
  core,
  rows,
  nulls,
  patterns = [],
}: ColumnJson): string[] {
  const facts: string[] = [];
  if (logical.kind === "refused") facts.push(`not read: ${printable(logical.reason)}`);
  if (nan > 0) facts.push(`${whole(nan)} NaN`);
  if (infinite.negative > 0) facts.push(`${whole(infinite.negative)} -Infinity`);
  if (infinite.positive > 0) facts.push(`${whole(infinite.positive)} Infinity`);
  const [pattern] = patterns;
  if (
    pattern !== undefined &&
    pattern.count >= COMMON * (rows - (nulls ?? 0)) &&
    isTelling(pattern.pattern)
  ) {
    facts.push(`${share(pattern.count, rows - (nulls ?? 0))} have the pattern ${printable(pattern.pattern)}`);
  }
  if (core !== undefined) facts.push("the distribution is that of the middle 98%");
  const isBeyond = distinct?.exact === false;
  if (isBeyond) {
    const { value, atLeast, standardError } = distinct;
    facts.push(
      `≈ ${whole(value)} different values ± ${share(2 * standardError, 1)} (two standard errors), at least ${whole(atLeast)}`,
    );
  }
  if (isBeyond && top.length > 0 && logical.kind !== "string") {
    facts.push(
      `most frequent ${printable(valueText(logical, top[0]!.value))} (${share(top[0]!.count, rows - (nulls ?? 0))})`,
    );
  }
  if (isBeyond && topBound !== null) {
    facts.push(`${top.length > 0 ? "any other" : "every"} value occurs at most ${whole(topBound)} times`);
  }
  return facts.length === 0 ? [] : [`${columnName(name)}: ${facts.join(", ")}`];
}

function jointLine({ columns: [x, y], shape, counts, outside, nulls }: JointJson): string {
  const counted = counts.reduce((sum, count) => sum + count, 0);
  const parts = [`${whole(counted)} counted in ${shape[0]} x ${shape[1]} bins`];
  if (outside > 0) parts.push(`${whole(outside)} outside`);
  if (nulls > 0) parts.push(`${whole(nulls)} with a null`);
  return `${printable(x)} and ${printable(y)}: ${parts.join(", ")}; --html draws them and --json prints them`;
}

/** Pairs of columns that a line lists, and the weakest correlation that it does. */
const FEW_PAIRS = 5;
const WEAKEST = 0.3;

/** The strongest correlations, and the columns that are most often null together. */
function correlationLines({ correlations, missing, columns }: ProfileJson): string[] {
  const lines: string[] = [];
  if (correlations !== undefined) {
    const strong = strongest(correlations).filter(({ size }) => size >= WEAKEST);
    const texts = strong
      .slice(0, FEW_PAIRS)
      .map(
        ({ x, y, pearson, spearman }) =>
          `${columnName(x)} and ${columnName(y)} ${coefficient(pearson)} (ranks ${coefficient(spearman)})`,
      );
    const rest = strong.length - texts.length;
    const more = rest > 0 ? `, and ${plural(rest, "more pair")}` : "";
    lines.push(
      `correlations: ${texts.length === 0 ? `none above ${WEAKEST}` : texts.join(", ")}${more}; --html draws them and --json prints them`,
    );
  }
  const shared = missing === undefined ? [] : nullsTogether(missing, columns).slice(0, FEW_PAIRS);
  if (shared.length > 0) {
    lines.push(
      `null together: ${shared.map(({ x, y, both, share }) => `${columnName(x)} and ${columnName(y)} in ${plural(both, "row")} (${percentOf(share)} of the rarer)`).join(", ")}`,
    );
  }
  return lines;
}

function duplicateLines({ duplicates, rows }: ProfileJson): string[] {
  if (duplicates === undefined) return [];
  const { rows: repeated, distinct, most } = duplicates;
  if (repeated === null)
    return [
      `duplicates: too many rows to count; ≈ ${whole(distinct.value)} of ${plural(rows, "row")} differ`,
    ];
  if (repeated === 0) return ["duplicates: no row equals an earlier one"];
  return [
    `duplicates: ${plural(repeated, "row")} (${share(repeated, rows)}) repeat an earlier one; the most frequent row occurs ${plural(most!, "time")}`,
  ];
}

const coefficient = (value: number | null): string => (value === null ? "none" : value.toFixed(2));
const percentOf = (part: number): string => share(part, 1);

function work({ backend, device, passes, files, timings, rows }: ProfileJson, byAuto: boolean): string[] {
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const { totalMs, passMs } = timings;
  const read = passes === 1 ? "one pass" : `${passes} passes`;
  if (passMs.length === 0) return [`${plural(rows, "row")}, ${read}, merged from shards`];
  const rate = bytes > 0 && totalMs > 0 ? ` (${throughput(bytes, totalMs)} of files)` : "";
  return [
    `${backend} (${printable(device)})${byAuto ? "; chosen by auto" : ""}`,
    `${plural(rows, "row")} in ${duration(totalMs)}${rate}, ${read}`,
  ];
}
