import { PolybinError } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import { findTables } from "./find.ts";
import { type FormatOptions, formats } from "./formats/index.ts";
import { checkPartitions, withPartitions } from "./partitioned.ts";
import { type PartitionTypes, partitionTypes } from "./partitions.ts";
import {
  type Location,
  openSource,
  SOURCE_OPTIONS,
  type SourceOptions,
  unpackedSource,
} from "./source/index.ts";
import { asDamage, JoinedTable, ReopenedTable, type Table } from "./table/index.ts";
import { COMMON, formatOf, tableIn, unknownFormat } from "./table-in.ts";
import { widened, widerIn } from "./wider.ts";

/** Options of `openTable`: those of the source, and those of the formats. */
export interface OpenTableOptions extends SourceOptions, FormatOptions {
  /** Name of the format. Default: the one of the first bytes, else the one of the name's ending. */
  readonly format?: string | undefined;
  /**
   * Types of the columns that folders of the path state, as in `year=2024/`. `partitionTypes` has those of several files.
   * False: none. Default: the types of these paths.
   */
  readonly partitions?: PartitionTypes | false | undefined;
  /**
   * Types of columns of text that other files show, and that read narrower ones, too. `widerTypes` has those of several
   * files. A column that this file shows with another type is read with its type here.
   */
  readonly wider?: FormatOptions["types"];
}

/** Names of `OpenTableOptions`. */
export const OPEN_TABLE_OPTIONS: readonly string[] = [
  ...new Set([
    ...SOURCE_OPTIONS,
    "format",
    "partitions",
    "wider",
    ...COMMON,
    ...formats.flatMap((format) => format.options),
  ]),
];

/** The fewest bytes that a part may have. */
const MIN_PART_BYTES = 64;

/**
 * Opens a table: a local file, a URL, standard input, or bytes. The first bytes show its format, or the ending of its name.
 * A file that gzip or Zstandard packed as a whole is unpacked while it is read.
 *
 * The tables of a folder (`data/`), a prefix (`s3://bucket/data/`) or a pattern (`data/2024-*.csv`) are one table, in the
 * order of their names, as `findTables` lists them. A column that one of them lacks, or has with another type, is refused.
 * @throws ERR_INPUT if there is no such place, it is damaged, or an option does not fit.
 * @throws ERR_UNSUPPORTED for an unknown format.
 * @throws ERR_LIMIT for more than 16,384 columns, and other limits of the format.
 */
export async function openTable(location: Location, options: OpenTableOptions = {}): Promise<Table> {
  return openAs(location, options, unknownFormat);
}

/** Creates the error for a place whose format is unknown, from its name. */
type Unknown = (name: string) => PolybinError;

/** Does the same. */
export async function openAs(
  location: Location,
  options: OpenTableOptions,
  unknown: Unknown,
): Promise<Table> {
  const tables = await openEachAs(location, options, unknown);
  const [first, second] = tables;
  if (second === undefined) return first!;
  return new JoinedTable(options.name ?? String(location), tables);
}

/**
 * Opens tables of a place, or of several, one for each file. The types of the columns that folders state are those of all
 * files. If there are many, a file is open only while it is read.
 * @throws as `openTable`. No table stays open then.
 */
export async function openTables(
  places: string | readonly string[],
  options: OpenTableOptions = {},
): Promise<Table[]> {
  const all = [places].flat();
  if (all.length === 0) throw new PolybinError("ERR_INPUT", "expected at least one place but received none");
  return openPlaces(all, options, unknownFormat);
}

/** Opens the tables of a place of `openTable`, one for each file. */
export async function openEachAs(
  location: Location,
  options: OpenTableOptions,
  unknown: Unknown,
): Promise<Table[]> {
  if (typeof location === "string" || location instanceof URL)
    return openPlaces([String(location)], options, unknown);
  checkOptions(options);
  return [(await openOne(location, options, unknown)).table];
}

async function openPlaces(
  given: readonly string[],
  options: OpenTableOptions,
  unknown: Unknown,
): Promise<Table[]> {
  checkOptions(options);
  const { allow, s3, signal, partitions } = options;
  const found = await Promise.all(given.map((place) => findTables(place, { allow, s3, signal })));
  const places = found.flat();
  const all = { ...options, partitions: partitions ?? partitionTypes(places) };
  if (places.length === 1) return [(await openOne(places[0]!, all, unknown)).table];
  const { name: _, ...own } = all;
  const open = (some: readonly string[], how: OpenTableOptions): Promise<Table[]> =>
    openInOrder(some, (place) => openAmong(place, how, unknown, places.length > MOST_OPEN));
  const tables = await open(places, own);
  return widened(tables, own.wider, async (wider, which) =>
    open(
      which.map((i) => places[i]!),
      { ...own, wider },
    ),
  );
}

/** Opens one of several tables. @param areMany whether it is open only while it is read */
async function openAmong(
  place: string,
  options: OpenTableOptions,
  unknown: Unknown,
  areMany: boolean,
): Promise<Table> {
  const { table, state } = await openOne(place, options, unknown);
  if (!areMany) return table;
  // The signal is that of opening, and each read has its own.
  const { signal: _, ...later } = options;
  return ReopenedTable.of(table, async () => {
    const again = await openOne(place, later, unknown);
    if (again.state === state) return again.table;
    await again.table.close();
    throw new PolybinError(
      "ERR_INPUT",
      `${again.table.name}: expected the same content in every read but it changed; open it again`,
    );
  });
}

/** More files than this are open only while they are read. */
const MOST_OPEN = 128;
/** Files that are opened at once. */
const AHEAD = 8;

/** Opens tables, several at once because most of the time of a small file is waiting. The error is that of the first one. */
export async function openInOrder<P>(
  places: readonly P[],
  open: (place: P, index: number) => Promise<Table>,
): Promise<Table[]> {
  const started: Promise<Table>[] = [];
  const tables: Table[] = [];
  try {
    while (tables.length < places.length) {
      for (let i = started.length; i < Math.min(places.length, tables.length + AHEAD); i++) {
        started.push(open(places[i]!, i));
        started[i]!.catch(() => {});
      }
      tables.push(await started[tables.length]!);
    }
    return tables;
  } catch (error) {
    await Promise.allSettled(started.map(async (table) => (await table).close()));
    throw error;
  }
}

/** A table, and the state of the file that it was opened in. */
interface Opened {
  readonly table: Table;
  readonly state: string;
}

async function openOne(location: Location, options: OpenTableOptions, unknown: Unknown): Promise<Opened> {
  const { format: name, partitions, wider = {}, ...given } = options;
  const stated = formatOf(name);
  const isOfSource = (option: string) => (SOURCE_OPTIONS as readonly string[]).includes(option);
  const entries = Object.entries(given);
  const place = await openSource(
    location,
    Object.fromEntries(entries.filter(([option]) => isOfSource(option))),
  );
  let source = place;
  try {
    source = await unpackedSource(place, options.signal);
    const own = entries.filter(([option]) => option === "signal" || !isOfSource(option));
    const table = await widerIn(wider, Object.fromEntries(own), (how) =>
      tableIn(source, stated, how, unknown),
    );
    const isPlace = partitions !== false && (typeof location === "string" || location instanceof URL);
    const whole = isPlace ? withPartitions(table, String(location), partitions) : table;
    return { table: whole, state: `${place.size} ${place.version}` };
  } catch (error) {
    await source.close();
    throw options.signal?.aborted ? error : asDamage(source.name, error);
  }
}

function checkOptions(options: OpenTableOptions): void {
  checkNames(options, OPEN_TABLE_OPTIONS);
  checkPartitions(options.partitions);
  const { partBytes, wider = {} } = options;
  if (typeof wider !== "object" || wider === null)
    throw expected("ERR_INPUT", "wider", "an object of columns and types", wider);
  if (partBytes === undefined) return;
  if (!Number.isSafeInteger(partBytes) || partBytes < MIN_PART_BYTES) {
    throw expected("ERR_INPUT", "partBytes", `a whole number of at least ${MIN_PART_BYTES}`, partBytes);
  }
}
