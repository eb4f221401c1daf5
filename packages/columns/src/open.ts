import type { PolybinError } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import { type FormatOptions, formats } from "./formats/index.ts";
import { checkPartitions, withPartitions } from "./partitioned.ts";
import type { PartitionTypes } from "./partitions.ts";
import {
  type Location,
  openSource,
  SOURCE_OPTIONS,
  type SourceOptions,
  unpackedSource,
} from "./source/index.ts";
import { asDamage, type Table } from "./table/index.ts";
import { COMMON, formatOf, tableIn, unknownFormat } from "./table-in.ts";

/** Options of `openTable`: those of the source, and those of the formats. */
export interface OpenTableOptions extends SourceOptions, FormatOptions {
  /** Name of the format. Default: the one of the first bytes, else the one of the name's ending. */
  readonly format?: string | undefined;
  /**
   * Types of the columns that folders of the path state, as in `year=2024/`. `partitionTypes` has those of several files.
   * False: none. Default: the types of this path.
   */
  readonly partitions?: PartitionTypes | false | undefined;
}

/** Names of `OpenTableOptions`. */
export const OPEN_TABLE_OPTIONS: readonly string[] = [
  ...new Set([
    ...SOURCE_OPTIONS,
    "format",
    "partitions",
    ...COMMON,
    ...formats.flatMap((format) => format.options),
  ]),
];

/** The fewest bytes that a part may have. */
const MIN_PART_BYTES = 64;

/**
 * Opens a table: a local file, a URL, standard input, or bytes. The first bytes show its format, or the ending of its name.
 * A file that gzip or Zstandard packed as a whole is unpacked while it is read.
 * @throws ERR_INPUT if there is no such place, it is damaged, or an option does not fit.
 * @throws ERR_UNSUPPORTED for an unknown format.
 * @throws ERR_LIMIT for more than 16,384 columns, and other limits of the format.
 */
export async function openTable(location: Location, options: OpenTableOptions = {}): Promise<Table> {
  return openAs(location, options, unknownFormat);
}

/** Does the same. @param unknown creates the error for a place whose format is unknown, from its name */
export async function openAs(
  location: Location,
  options: OpenTableOptions,
  unknown: (name: string) => PolybinError,
): Promise<Table> {
  checkNames(options, OPEN_TABLE_OPTIONS);
  checkCommon(options);
  const { format: name, partitions, ...given } = options;
  checkPartitions(partitions);
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
    const table = await tableIn(source, stated, Object.fromEntries(own), unknown);
    const isPlace = partitions !== false && (typeof location === "string" || location instanceof URL);
    return isPlace ? withPartitions(table, String(location), partitions) : table;
  } catch (error) {
    await source.close();
    throw options.signal?.aborted ? error : asDamage(source.name, error);
  }
}

function checkCommon({ partBytes }: OpenTableOptions): void {
  if (partBytes === undefined) return;
  if (!Number.isSafeInteger(partBytes) || partBytes < MIN_PART_BYTES) {
    throw expected("ERR_INPUT", "partBytes", `a whole number of at least ${MIN_PART_BYTES}`, partBytes);
  }
}
