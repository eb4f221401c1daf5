import { fieldOf } from "./fields.ts";
import type { Measured } from "./measured.ts";
import type { Point } from "./model.ts";
import { countersOf } from "./xu/counters.ts";
import { asInPaper, fastestByBins } from "./xu/rows.ts";

type Value = string | number | boolean | null;

/**
 * Chooses measurements and the points that they become. A field is a name in a record, a path such as `weighted.unroll`,
 * a group of `match`, or a computed field. Text in `series`, `x` and `y` may contain fields in braces.
 */
export interface Select {
  /** Files with rows of the shown backend, and those to read if they have none. */
  readonly rows?: readonly string[];
  readonly instead?: readonly string[];
  /** Files with rows of a CPU. */
  readonly cpu?: readonly string[];
  /** Figures of the figure's paper, as rows of kernels as published name them. Points are made for both launches. */
  readonly published?: string | readonly string[];
  /** A figure of the figure's paper, whose kernels as published ncu counted. */
  readonly profiled?: string;
  /** Figures by Xu et al., whose cells add as the paper's do. `fastest` keeps one for each number of bins. */
  readonly sums?: string | readonly string[];
  readonly fastest?: true;
  /** A file and the name of a note in it, which is a list or has a list of cells. */
  readonly note?: readonly [file: string, name: string];
  /** A figure by Xu et al., whose cells ncu counted. */
  readonly counters?: Parameters<typeof countersOf>[1];
  /** The value, or one of the values, that a field must have. A field that is missing has the value null. */
  readonly where?: Readonly<Record<string, Value | readonly Value[]>>;
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Patterns of fields. Their named groups are fields. */
  readonly match?: Readonly<Record<string, string>>;
  /** Names that replace the values of a field. A record with another value is left out. */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly series: string;
  readonly x: Point["x"];
  /** Default: the throughput. */
  readonly y?: string;
  /** Divides `y`. */
  readonly over?: number;
}

/** Returns the points of the chosen measurements. A record without one of the fields is left out. */
export function pointsBy(measured: Measured, select: Select): Point[] {
  const { where = {}, atLeast = {}, y = "{gbps}", over = 1 } = select;
  const is = (record: object) =>
    Object.entries(where).every(([name, of]) => [of].flat().includes(fieldOf(record, name) as Value)) &&
    Object.entries(atLeast).every(([name, least]) => Number(fieldOf(record, name)) >= least);
  return recordsOf(measured, select, is).flatMap((record) => {
    const found = renamed(record, select);
    if (found === null) return [];
    const [series, x, value] = [select.series, select.x, y].map((text) => filled(text, found));
    return series == null || x == null || value == null
      ? []
      : [{ series: String(series), x: x as Point["x"], y: Number(value) / over }];
  });
}

function recordsOf(measured: Measured, select: Select, is: (record: object) => boolean): object[] {
  const { sums, fastest } = select;
  if (sums === undefined) return listOf(measured, select).filter(is);
  const cells = asInPaper([sums].flat().flatMap((figure) => measured.sums(figure).filter(is)));
  return fastest ? fastestByBins(cells) : cells;
}

function listOf(
  measured: Measured,
  { rows, instead, cpu, note, counters, published, profiled }: Select,
): readonly object[] {
  if (profiled !== undefined)
    return measured.publishedCounters(profiled).map(({ row, terms }) => ({ ...row, terms, others: [] }));
  if (published !== undefined) return measured.published(...[published].flat());
  if (cpu !== undefined) return measured.cpu(...cpu);
  if (counters !== undefined) return countersOf(measured, counters);
  if (note !== undefined) {
    const found = (measured.note(...note) ?? []) as object[] | { readonly cells: object[] };
    return Array.isArray(found) ? found : found.cells;
  }
  const own = measured.rows(...rows!);
  return own.length > 0 || instead === undefined ? own : measured.rows(...instead);
}

/** Adds the groups of patterns to a record, and replaces values by their names. Null leaves the record out. */
function renamed(record: object, { match = {}, names = {} }: Select): object | null {
  const found: Record<string, unknown> = {};
  for (const [name, pattern] of Object.entries(match)) {
    const groups = new RegExp(pattern).exec(String(fieldOf(record, name)))?.groups;
    if (groups === undefined) return null;
    for (const [group, text] of Object.entries(groups))
      found[group] = /^\d+$/.test(text) ? Number(text) : text;
  }
  for (const [name, to] of Object.entries(names)) {
    const value = to[String(found[name] ?? fieldOf(record, name))];
    if (value === undefined) return null;
    found[name] = value;
  }
  return { ...record, ...found };
}

/** Puts fields into a text. A text of one field only is the field's value. Null if a field is missing. */
function filled(text: Point["x"], record: object): unknown {
  if (typeof text === "number") return text;
  const whole = /^\{([^}]+)\}$/.exec(text)?.[1];
  if (whole !== undefined) return fieldOf(record, whole);
  const parts = text.split(/\{([^}]+)\}/).map((part, i) => (i % 2 === 0 ? part : fieldOf(record, part)));
  return parts.includes(null) ? null : parts.join("");
}
