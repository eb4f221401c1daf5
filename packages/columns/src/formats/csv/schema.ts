import { type ByteSource, unpackedName } from "../../source/index.ts";
import { type ColumnInfo, checkColumnCount, damaged, uniqueNames, unknownColumn } from "../../table/index.ts";
import { sampleOf } from "../lib/text/index.ts";
import { TypeGuess } from "../lib/values/index.ts";
import { textsIn } from "./compiled.ts";
import { type Dialect, recordsIn } from "./fields.ts";
import { type Guess, otherGuess, plainGuess, SEPARATORS } from "./guess.ts";
import { isHeader } from "./header.ts";
import { isAnyNull } from "./nulls.ts";
import { type Checked, marksIn, marksOf } from "./options.ts";
import { chunksOf, isBlank } from "./plain.ts";

/** The columns and the dialect that the first records of a file show. */
export interface Schema {
  readonly columns: readonly ColumnInfo[];
  readonly dialect: Dialect;
  /** Offset of the first record with data. */
  readonly start: number;
  /** The options that would give the same and are no defaults. */
  readonly guessed: Readonly<Record<string, unknown>>;
}

/** Records that types are inferred from at most. */
const SAMPLE_RECORDS = 20_000;

/**
 * Finds separator, names and types of a file from its first records.
 * @throws ERR_LIMIT for too many columns, ERR_INPUT if `types` or `header` does not fit the file.
 */
export async function schemaOf(
  source: ByteSource,
  options: Checked,
  signal: AbortSignal | undefined,
): Promise<Schema> {
  const marks = marksOf(marksIn(options), [options.separator ?? SEPARATORS].flat());
  const { text, bytes, markBytes, newline } = await sampleOf(
    source,
    { marks, encoding: options.encoding },
    signal,
  );
  const isTabbed = /\.(tsv|tab)$/i.test(unpackedName(source.name));
  const given = isTabbed ? { ...options, separator: options.separator ?? "\t" } : options;
  const plain = plainGuess(text, newline, given);
  const sample = { name: source.name, text, bytes, encoding: options.encoding };
  let guess = plain;
  let found = await recordsOf(sample, plain);
  if (found.texts === null || found.width === 1) {
    const other = otherGuess(text, plain, given);
    if (other !== null) {
      guess = other;
      found = await recordsOf(sample, other);
    }
  }
  const { dialect } = guess;
  const { first, firstEnd, width: own, texts } = found;
  const below = () => recordsBelow(text.slice(firstEnd), dialect);
  const hasNames =
    first !== null &&
    (typeof options.header === "boolean"
      ? options.header
      : options.header === null && isHeader(first, below, options.nulls));
  const width = first === null && Array.isArray(options.header) ? options.header.length : own;
  const names = namesOf(source.name, hasNames ? first : null, options.header, width);
  const known = new Set(names);
  for (const name of options.types.keys()) {
    if (!known.has(name))
      throw unknownColumn({ name: source.name, columns: names.map((each) => ({ name: each })) }, name);
  }
  const guesses = names.map(() => new TypeGuess(options.forms));
  const see = (record: readonly string[]): void => {
    // Reading names the line of a record with too many or too few fields.
    if (record.length !== width) return;
    for (let i = 0; i < width; i++) {
      const field = record[i]!;
      if (isAnyNull(field, options.nulls)) guesses[i]!.seeNull();
      else guesses[i]!.see(field);
    }
  };
  if (first !== null && !hasNames) see(first);
  if (texts === null) for (const record of below()) see(record);
  else {
    for (const [i, different] of texts.entries()) {
      for (const text of different) if (!isAnyNull(text, options.nulls)) guesses[i]!.see(text);
    }
  }
  const bytesOf = (characters: number): number => bytesIn(text.slice(0, characters), options.encoding);
  return {
    columns: names.map((name, i) => ({
      name,
      type: guesses[i]!.type(options.types.get(name)),
      nullable: true,
    })),
    dialect,
    start: markBytes + bytesOf(hasNames ? firstEnd : guess.start),
    guessed: guessedOf(text, guess, plain, given),
  };
}

interface Found {
  /** The first record that is not an empty line. */
  readonly first: string[] | null;
  /** Characters up to its end. */
  readonly firstEnd: number;
  /** Its fields. */
  readonly width: number;
  /** The different texts of the columns below it, if compiled code finds nothing rare or wrong. */
  readonly texts: readonly Iterable<string>[] | null;
}

interface Sampled extends Pick<Checked, "encoding"> {
  /** The name of the file. */
  readonly name: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

async function recordsOf(
  { name, text, bytes, encoding }: Sampled,
  { dialect, start }: Guess,
): Promise<Found> {
  const { record: first, end } = firstOf(text.slice(start), dialect);
  const firstEnd = start + end;
  const width = first?.length ?? 0;
  checkColumnCount(name, width);
  const below = bytes.subarray(bytesIn(text.slice(0, firstEnd), encoding));
  const texts = await textsIn(below, { ...dialect, width, encoding }, SAMPLE_RECORDS);
  return { first, firstEnd, width, texts };
}

const bytesIn = (text: string, encoding: Checked["encoding"]): number =>
  encoding === "latin1" ? text.length : new TextEncoder().encode(text).length;

/** The options that were guessed and are not those of most files. */
function guessedOf(
  text: string,
  { dialect, start }: Guess,
  plain: Guess,
  options: Checked,
): Schema["guessed"] {
  const newline = String.fromCharCode(dialect.newline);
  const skipped = text.slice(0, start).split(newline).length - 1;
  return {
    ...(options.separator === undefined && dialect.separator !== "," && { separator: dialect.separator }),
    ...(dialect.quote !== plain.dialect.quote && { quote: dialect.quote }),
    ...(dialect.escape !== plain.dialect.escape && { escape: dialect.escape }),
    ...(dialect.comment !== plain.dialect.comment && { comment: dialect.comment }),
    ...(start !== plain.start && { skip: skipped }),
  };
}

/** Returns the first record that is not an empty line, and the characters up to its end. */
function firstOf(text: string, of: Dialect): { readonly record: string[] | null; readonly end: number } {
  for (const { fields, end } of recordsIn(text, of)) {
    if (!isBlank(fields, 2)) return { record: withoutReturn(fields), end };
  }
  return { record: null, end: text.length };
}

/** Yields the first records of a text. They are freed while the next ones are parsed, which is much faster than to keep them. */
function* recordsBelow(text: string, of: Dialect): Generator<string[]> {
  let left = SAMPLE_RECORDS;
  for (const { data } of chunksOf(text, of)) {
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
