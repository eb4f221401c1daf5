import { PolybinError } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import { type FormatOptions, formats } from "./formats/index.ts";
import {
  checkUnpacked,
  type Location,
  openSource,
  SOURCE_OPTIONS,
  type SourceOptions,
} from "./source/index.ts";
import { asDamage, type CommonOptions, type Format, type Table } from "./table/index.ts";

/** Options of `openTable`: those of the source, and those of the formats. */
export interface OpenTableOptions extends SourceOptions, FormatOptions {
  /** Name of the format. Default: the one of the first bytes, else the one of the name's ending. */
  readonly format?: string | undefined;
}

const COMMON: readonly (keyof CommonOptions)[] = ["threads", "partBytes", "signal"];
/** Bytes at the start of a file that show its format. */
const HEAD_BYTES = 512;
/** The fewest bytes that a part may have. */
const MIN_PART_BYTES = 64;

/**
 * Opens a table: a local file, a URL, standard input, or bytes. The first bytes show its format, or the ending of its name.
 * @throws ERR_INPUT if there is no such place, it is damaged, or an option does not fit.
 * @throws ERR_UNSUPPORTED for an unknown format.
 * @throws ERR_LIMIT for more than 16,384 columns, and other limits of the format.
 */
export async function openTable(location: Location, options: OpenTableOptions = {}): Promise<Table> {
  const all = [
    ...new Set([...SOURCE_OPTIONS, "format", ...COMMON, ...formats.flatMap((format) => format.options)]),
  ];
  checkNames(options, all);
  checkCommon(options);
  const { format: name, ...given } = options;
  const stated = name === undefined ? null : formatOf(name);
  const isOfSource = (option: string) => (SOURCE_OPTIONS as readonly string[]).includes(option);
  const entries = Object.entries(given);
  const source = await openSource(
    location,
    Object.fromEntries(entries.filter(([option]) => isOfSource(option))),
  );
  try {
    const { signal } = options;
    const format = stated ?? formatIn(await source.peek(HEAD_BYTES, { signal }), source.name);
    const own = entries.filter(([option]) => option === "signal" || !isOfSource(option));
    const taken: readonly string[] = [...COMMON, ...format.options];
    for (const [option] of own) if (!taken.includes(option)) throw foreign(source.name, format.name, option);
    return await format.open(source, Object.fromEntries(own));
  } catch (error) {
    await source.close();
    throw options.signal?.aborted ? error : asDamage(source.name, error);
  }
}

const foreign = (name: string, format: string, option: string): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    `${name}: expected options of ${format} but received ${option}, which other formats have`,
  );

function checkCommon({ partBytes }: OpenTableOptions): void {
  if (partBytes === undefined) return;
  if (!Number.isSafeInteger(partBytes) || partBytes < MIN_PART_BYTES) {
    throw expected("ERR_INPUT", "partBytes", `a whole number of at least ${MIN_PART_BYTES}`, partBytes);
  }
}

function formatOf(name: string): Format<FormatOptions> {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw expected("ERR_UNSUPPORTED", "format", `one of ${namesOfFormats()}`, name);
  return format;
}

function formatIn(head: Uint8Array, name: string): Format<FormatOptions> {
  const lower = name.toLowerCase();
  const found =
    formats.find((format) => format.detect(head, name)) ??
    formats.find(({ extensions }) => extensions.some((ending) => lower.endsWith(ending)));
  if (found !== undefined) return found;
  checkUnpacked(name, head);
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${name}: expected a table of a known format but neither its first bytes nor its name show one; pass format: one of ${namesOfFormats()}`,
  );
}

const namesOfFormats = (): string => formats.map(({ name }) => name).join(", ");
