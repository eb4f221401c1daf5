import Papa from "papaparse";
import { type Dialect, recordsIn } from "./fields.ts";
import { type Checked, marksIn, QUOTE } from "./options.ts";
import { paparsed, withoutLastNewline } from "./plain.ts";

/** Separators that a file may have without saying so. */
export const SEPARATORS: readonly string[] = [",", ";", "\t", "|"];
/** The characters that are tried if no other dialect makes records alike. */
const ESCAPE = "\\";
const COMMENT = "#";
const OTHER_QUOTE = "'";
const QUOTED = /^".*"\r?$/s;
/** The most records before a table. */
const MOST_BEFORE = 100;
/** The fewest records of a table that are alike if others are left out. */
const MOST_ALIKE = 0.5;

/** The dialect of a text, and where its table starts. */
export interface Guess {
  readonly dialect: Dialect;
  /** Characters before the table. */
  readonly start: number;
}

/** The options that decide the dialect. */
type Given = Pick<Checked, "separator" | "quote" | "escape" | "comment" | "skip" | "skipsBadRows">;

/** The dialect of most files, by the options and the first lines. */
export function plainGuess(text: string, newline: number, given: Given): Guess {
  const start = afterLines(text, given.skip ?? 0, newline);
  const dialect = { separator: "", ...marksIn(given), newline };
  const separator = given.separator ?? separatorOf(text.slice(start), dialect);
  return { dialect: { ...dialect, separator }, start };
}

/**
 * Looks for the dialect and the start of a table by which its records have one number of fields, as they have not by the
 * guess for most files.
 * @returns null if there is none
 */
export function otherGuess(text: string, plain: Guess, given: Given): Guess | null {
  const rest = text.slice(plain.start);
  const own = shapeOf(rest, plain.dialect);
  // A column of texts is a table, whatever its texts begin with.
  const isColumn = own.width === 1 && own.good === own.records;
  const isAlike = ({ width, good, records, before }: Shape): boolean =>
    width > 1 && (good === records || (given.skipsBadRows && good - before >= MOST_ALIKE * records));
  const isBehind = !isColumn && given.skip === undefined;
  let behind: Guess | null = null;
  for (const dialect of dialectsOf(rest, plain.dialect, given, isColumn)) {
    const shape = shapeOf(rest, dialect);
    if (!isAlike(shape)) continue;
    const guess = { dialect, start: plain.start + shape.start };
    if (shape.before === 0) return guess;
    if (isBehind) behind ??= guess;
  }
  return behind;
}

/** The plain dialect, and others that differ in what is not given and for which the text has a sign. */
function dialectsOf(text: string, plain: Dialect, given: Given, isColumn: boolean): Dialect[] {
  const marks: Partial<Dialect>[] = [{}];
  if (given.comment === undefined && /(?:^|[\r\n])#/.test(text)) marks.push({ comment: COMMENT });
  // The fields of a column may have all characters between quotation marks.
  if (!isColumn && given.escape === undefined && text.includes(ESCAPE)) marks.push({ escape: ESCAPE });
  if (!isColumn && given.quote === undefined) {
    marks.push({ quote: null });
    if (/(?:^|[\r\n,;\t|])'/.test(text)) marks.push({ quote: OTHER_QUOTE });
  }
  const others = SEPARATORS.filter((separator) => separator !== plain.separator);
  const separators = given.separator === undefined ? [plain.separator, ...others] : [plain.separator];
  return marks.flatMap((mark) => separators.map((separator) => ({ ...plain, ...mark, separator })));
}

/** The form of the records of a text. Empty lines are none. */
interface Shape {
  /** Fields of most records. */
  readonly width: number;
  readonly records: number;
  /** Records of that width, with those before the table. */
  readonly good: number;
  /** Records before the table, which have few fields. */
  readonly before: number;
  /** Characters before the table. */
  readonly start: number;
}

function shapeOf(text: string, dialect: Dialect): Shape {
  const widths: number[] = [];
  const starts: number[] = [];
  const counts = new Map<number, number>();
  for (const { fields, fault, start, end } of recordsIn(text, dialect)) {
    if (fault === null && fields.length === 1 && fields[0]!.trim() === "") continue;
    // A mark around a field has a meaning. One before the last field may be of a file that was cut.
    const means = (field: string): boolean =>
      end === text.length ? field.startsWith(QUOTE) : QUOTED.test(field);
    const isWrong = fault !== null || (dialect.quote !== QUOTE && fields.some(means));
    const width = isWrong ? 0 : fields.length;
    widths.push(width);
    starts.push(start);
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const [width, count] = [...counts].reduce(
    (a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] > a[0]) ? b : a),
    [0, 0],
  );
  const first = widths.indexOf(width);
  const isBefore = first <= MOST_BEFORE && widths.slice(0, first).every((few) => few > 0 && 2 * few <= width);
  const before = isBefore && count > 1 ? first : 0;
  return {
    width,
    records: widths.length,
    good: before + count,
    before,
    start: before === 0 ? 0 : starts[first]!,
  };
}

/** Returns the separator that papaparse finds, or a comma for a single column. */
function separatorOf(text: string, dialect: Dialect): string {
  if (text === "") return ",";
  const { meta } = Papa.parse<string[]>(withoutLastNewline(text, dialect.quote), {
    ...paparsed(dialect),
    // Empty lines have no separators, which would count against all of them.
    skipEmptyLines: true,
    preview: 20,
    delimitersToGuess: [...SEPARATORS],
  });
  return meta.delimiter;
}

/** Returns the characters of the first lines of a text. */
function afterLines(text: string, lines: number, newline: number): number {
  const end = String.fromCharCode(newline);
  let at = 0;
  for (let i = 0; i < lines && at < text.length; i++) at = text.indexOf(end, at) + 1 || text.length;
  return at;
}
