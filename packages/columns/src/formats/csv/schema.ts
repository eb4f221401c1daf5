import Papa from "papaparse";
import type { ByteSource } from "../../source/index.ts";
import { type ColumnInfo, checkColumnCount, damaged, uniqueNames, unknownColumn } from "../../table/index.ts";
import { sampleOf } from "../lib/text/index.ts";
import { TypeGuess } from "../lib/values/index.ts";
import { dialect, isBlank, withoutLastNewline } from "./decode.ts";
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
  const { text, markBytes, newline } = await sampleOf(source, { quote, encoding: options.encoding }, signal);
  const separator =
    options.separator ??
    (/\.(tsv|tab)$/i.test(source.name) ? "\t" : separatorOf(text, options.quote, newline));
  const settings = dialect({ separator, quote: options.quote, newline });
  const records: string[][] = [];
  /** Characters up to the end of the first record that is not an empty line. */
  let firstEnd = 0;
  if (text !== "") {
    const parsed = withoutLastNewline(text);
    Papa.parse<string[]>(parsed, {
      ...settings,
      step: ({ data, meta }, parser) => {
        if (records.length === 0) {
          if (isBlank(data, 2)) return;
          checkColumnCount(source.name, data.length);
          // A record at the end of the parsed text also has the newline that was removed from it.
          firstEnd = meta.cursor < parsed.length ? meta.cursor : text.length;
        }
        records.push(data);
        if (records.length > SAMPLE_RECORDS) parser.abort();
      },
    });
  }
  for (const record of records) record.push(record.pop()!.replace(/\r$/, ""));
  const [first] = records;
  const hasNames =
    first !== undefined &&
    (typeof options.header === "boolean"
      ? options.header
      : options.header === null && isHeader(first, records.slice(1), options.nulls));
  const width = first?.length ?? (Array.isArray(options.header) ? options.header.length : 0);
  const names = namesOf(source.name, hasNames ? first : null, options.header, width);
  const headerBytes =
    options.encoding === "latin1" ? firstEnd : new TextEncoder().encode(text.slice(0, firstEnd)).length;
  const known = new Set(names);
  for (const name of options.types.keys()) {
    if (!known.has(name))
      throw unknownColumn({ name: source.name, columns: names.map((each) => ({ name: each })) }, name);
  }
  const guesses = names.map(() => new TypeGuess());
  for (const record of hasNames ? records.slice(1) : records) {
    // Reading names the line of a record with too many or too few fields.
    if (record.length !== width) continue;
    for (const [i, field] of record.entries()) {
      if (isAnyNull(field, options.nulls)) guesses[i]!.seeNull();
      else guesses[i]!.see(field);
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
    start: markBytes + (hasNames ? headerBytes : 0),
  };
}

/** Returns the separator that papaparse finds, or a comma for a single column. */
function separatorOf(text: string, quote: string | null, newline: number): string {
  if (text === "") return ",";
  const { meta } = Papa.parse<string[]>(withoutLastNewline(text), {
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
