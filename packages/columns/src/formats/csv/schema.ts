import Papa from "papaparse";
import { type ByteSource, unpackedName } from "../../source/index.ts";
import { type ColumnInfo, checkColumnCount, damaged, uniqueNames, unknownColumn } from "../../table/index.ts";
import { sampleOf } from "../lib/text/index.ts";
import { TypeGuess } from "../lib/values/index.ts";
import { textsIn } from "./compiled.ts";
import { chunksOf, type DialectOf, dialect, isBlank, withoutLastNewline } from "./decode.ts";
import { isHeader } from "./header.ts";
import { isAnyNull } from "./nulls.ts";
import type { Checked } from "./options.ts";

/** The columns and the dialect that the first records of a file show. */
export interface Schema {
  readonly columns: readonly ColumnInfo[];
  readonly separator: string;
  readonly newline: number;
  /** Offset of the first record with data. */
  readonly start: number;
}

/** Records that types are inferred from at most. */
const SAMPLE_RECORDS = 20_000;

/** Separators that a file may have without saying so. */
const SEPARATORS = [",", ";", "\t", "|"];

/**
 * Finds separator, names and types of a file from its first records.
 * @throws ERR_LIMIT for too many columns, ERR_INPUT if `types` or `header` does not fit the file.
 */
export async function schemaOf(
  source: ByteSource,
  options: Checked,
  signal: AbortSignal | undefined,
): Promise<Schema> {
  const quote = options.quote === null ? null : options.quote.charCodeAt(0);
  const { text, bytes, markBytes, newline } = await sampleOf(
    source,
    { quote, encoding: options.encoding },
    signal,
  );
  const separator =
    options.separator ??
    (/\.(tsv|tab)$/i.test(unpackedName(source.name)) ? "\t" : separatorOf(text, options.quote, newline));
  const of = { separator, quote: options.quote, newline };
  const { record: first, end: firstEnd } = firstOf(text, of);
  if (first !== undefined) checkColumnCount(source.name, first.length);
  const below = () => recordsOf(text.slice(firstEnd), of);
  const hasNames =
    first !== undefined &&
    (typeof options.header === "boolean"
      ? options.header
      : options.header === null && isHeader(first, below, options.nulls));
  const width = first?.length ?? (Array.isArray(options.header) ? options.header.length : 0);
  const names = namesOf(source.name, hasNames ? first : null, options.header, width);
  const firstBytes =
    options.encoding === "latin1" ? firstEnd : new TextEncoder().encode(text.slice(0, firstEnd)).length;
  const known = new Set(names);
  for (const name of options.types.keys()) {
    if (!known.has(name))
      throw unknownColumn({ name: source.name, columns: names.map((each) => ({ name: each })) }, name);
  }
  const guesses = names.map(() => new TypeGuess());
  const see = (record: readonly string[]): void => {
    // Reading names the line of a record with too many or too few fields.
    if (record.length !== width) return;
    for (let i = 0; i < width; i++) {
      const field = record[i]!;
      if (isAnyNull(field, options.nulls)) guesses[i]!.seeNull();
      else guesses[i]!.see(field);
    }
  };
  if (first !== undefined && !hasNames) see(first);
  const whole = { ...of, width, encoding: options.encoding };
  const texts = await textsIn(bytes.subarray(firstBytes), whole, SAMPLE_RECORDS);
  if (texts === null) for (const record of below()) see(record);
  else {
    for (const [i, different] of texts.entries()) {
      for (const text of different) if (!isAnyNull(text, options.nulls)) guesses[i]!.see(text);
    }
  }
  return {
    columns: names.map((name, i) => ({
      name,
      type: guesses[i]!.type(options.types.get(name)),
      nullable: true,
    })),
    separator,
    newline,
    start: markBytes + (hasNames ? firstBytes : 0),
  };
}

/** Returns the first record that is not an empty line, and the characters up to its end. */
function firstOf(text: string, of: DialectOf): { readonly record?: string[]; readonly end: number } {
  const found: { record?: string[]; end: number } = { end: text.length };
  const parsed = withoutLastNewline(text, of.quote);
  if (parsed === "") return found;
  Papa.parse<string[]>(parsed, {
    ...dialect(of),
    step: ({ data, meta }, parser) => {
      if (isBlank(data, 2)) return;
      found.record = withoutReturn(data);
      // A record at the end of the parsed text also has the newline that was removed from it.
      if (meta.cursor < parsed.length) found.end = meta.cursor;
      parser.abort();
    },
  });
  return found;
}

/** Yields the first records of a text. They are freed while the next ones are parsed, which is much faster than to keep them. */
function* recordsOf(text: string, of: DialectOf): Generator<string[]> {
  let left = SAMPLE_RECORDS;
  for (const { data } of chunksOf(withoutLastNewline(text, of.quote), of)) {
    for (const record of data) {
      yield withoutReturn(record);
      if (--left === 0) return;
    }
  }
}

function withoutReturn(record: string[]): string[] {
  const last = record.length - 1;
  if (record[last]!.endsWith("\r")) record[last] = record[last]!.slice(0, -1);
  return record;
}

/** Returns the separator that papaparse finds, or a comma for a single column. */
function separatorOf(text: string, quote: string | null, newline: number): string {
  if (text === "") return ",";
  const { meta } = Papa.parse<string[]>(withoutLastNewline(text, quote), {
    ...dialect({ separator: "", quote, newline }),
    // Empty lines have no separators, which would count against all of them.
    skipEmptyLines: true,
    preview: 20,
    delimitersToGuess: SEPARATORS,
  });
  return meta.delimiter;
}

function namesOf(
  name: string,
  first: readonly string[] | null,
  header: Checked["header"],
  width: number,
): string[] {
  if (Array.isArray(header)) {
    if (header.length !== width)
      throw damaged(name, `expected ${width} names in header but received ${header.length}`);
    return uniqueNames(header);
  }
  return uniqueNames(first ?? Array.from({ length: width }, () => ""));
}
