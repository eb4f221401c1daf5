import { byChange, type ColumnChangeJson, type ComparisonJson, eventOf } from "@polybin/columns/compare";
import { type ColumnJson, valueText } from "@polybin/columns/profile";
import { wrapAnsi } from "fast-wrap-ansi";
import { columnName, inputName, plural, printable, whole } from "../../base/index.ts";
import { type Page, stdoutPage } from "../../terminal/index.ts";
import { aligned, type ColumnCells, cellsOf, clip } from "../cells.ts";

/** The cells of the table, in the order in which a narrow terminal gives them up: the last ones first. */
const FIELDS = ["column", "distance", "type", "nulls", "distinct", "median", "mean", "min", "max"] as const;
type Field = (typeof FIELDS)[number];
/** The order in which they are printed. */
const PRINTED: readonly Field[] = [
  "column",
  "type",
  "distance",
  "nulls",
  "distinct",
  "min",
  "median",
  "max",
  "mean",
];
const TEXTS: ReadonlySet<Field> = new Set(["column", "type"]);
const DIGITS = 3;
/** Values that a line lists, the number of values above which it lists none, and the longest one. */
const FEW = 5;
const MANY = 100;
const LONGEST = 40;

/** The comparison as a table for a terminal, with the columns first that changed most. */
export function comparisonTable(found: ComparisonJson, byAuto: boolean, page: Page = stdoutPage()): string {
  const { a, b } = found;
  const wrapped = (text: string): string => wrapAnsi(text, page.width);
  const changes = byChange(found);
  const rows = changes.map((change) => cellsOfChange(change, found));
  const lines = [
    wrapped(title(found)),
    "",
    ...(rows.length === 0 ? ["no columns"] : fitting(rows, page.width)),
    "",
    ...changes.flatMap((change) => onlyLines(change, found)).map(wrapped),
    ...(byAuto ? [wrapped(`${b.backend} (${printable(b.device)}); chosen by auto`)] : []),
    wrapped(
      `${plural(a.rows + b.rows, "row")} compared; distances are from 0 (equal) to 1 (no common value)`,
    ),
  ];
  return `${lines.join("\n").replaceAll("\n\n\n", "\n\n")}\n`;
}

function title({ a, b, columns }: ComparisonJson): string {
  const name = ({ files }: ComparisonJson["a"]): string =>
    files.length === 1 ? inputName(files[0]!.name) : plural(files.length, "file");
  return `${name(a)} → ${name(b)}  ${whole(a.rows)} → ${plural(b.rows, "row")}, ${plural(columns.length, "column")}`;
}

function sidesOf({ a, b }: ColumnChangeJson, found: ComparisonJson): (ColumnJson | null)[] {
  return [a === null ? null : found.a.columns[a]!, b === null ? null : found.b.columns[b]!];
}

function cellsOfChange(change: ColumnChangeJson, found: ComparisonJson): Readonly<Record<Field, string>> {
  const [x, y] = sidesOf(change, found).map((side) => (side === null ? null : cellsOf(side)));
  const cell = (field: keyof ColumnCells): string => {
    const [before, after] = [x?.[field] ?? "", y?.[field] ?? ""];
    return before === after || x == null ? after : y == null ? before : `${before} → ${after}`;
  };
  return {
    column: cell("column"),
    type: cell("type"),
    distance: change.distance === null ? (eventOf(change, found) ?? "") : distanceText(change),
    nulls: cell("nulls"),
    distinct: cell("distinct"),
    min: cell("min"),
    median: cell("median"),
    max: cell("max"),
    mean: cell("mean"),
  };
}

/** The distance with its bounds, if they differ. */
function distanceText({ distance }: ColumnChangeJson): string {
  if (distance === null) return "";
  const [value, low, high] = [distance.value, distance.low, distance.high].map((one) => one.toFixed(DIGITS));
  return low === high ? value! : `${low} to ${high}`;
}

/** As many fields as fit, at least the first two. */
function fitting(rows: readonly Readonly<Record<Field, string>>[], width: number): string[] {
  for (let count: number = FIELDS.length; ; count--) {
    const kept = new Set<Field>(FIELDS.slice(0, count));
    const lines = aligned(
      PRINTED.filter((field) => kept.has(field)),
      rows,
      TEXTS,
    ).map((line) => line.trimEnd());
    if (count === 2 || lines.every((line) => line.length <= width)) return lines;
  }
}

/** The values that only one side has. Measured numbers are hardly ever equal, which says nothing. */
function onlyLines(change: ColumnChangeJson, found: ComparisonJson): string[] {
  const column = sidesOf(change, found)[1];
  if (column == null) return [];
  const { logical } = column;
  if (logical.kind === "number" && /^f\d/.test(logical.type)) return [];
  const parts = (["gained", "lost"] as const).flatMap((side) => {
    const values = change[side];
    if (values === null || values.distinct === 0) return [];
    const listed = values.top
      .slice(0, FEW)
      .map(({ value }) => clip(printable(valueText(logical, value)) || '""', LONGEST));
    const rest = values.distinct - listed.length;
    const more = rest > 0 ? `, and ${whole(rest)} more` : "";
    const list = values.distinct > MANY ? "" : ` (${listed.join(", ")}${more})`;
    const word = side === "gained" ? "new" : "lost";
    return [`${plural(values.distinct, `${word} value`)} in ${plural(values.rows, "row")}${list}`];
  });
  return parts.length === 0 ? [] : [`${columnName(change.name)}: ${parts.join("; ")}`];
}
