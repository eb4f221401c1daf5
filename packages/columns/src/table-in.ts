import { PolybinError } from "@polybin/core";
import { expected } from "@polybin/core/backend";
import { type FormatOptions, formats } from "./formats/index.ts";
import { type ByteSource, checkUnpacked, unpackedName } from "./source/index.ts";
import type { CommonOptions, Format, Table } from "./table/index.ts";

/** Options that all formats have. */
export const COMMON: readonly (keyof CommonOptions)[] = ["threads", "partBytes", "signal"];
/** Bytes at the start of a file that show its format. */
const HEAD_BYTES = 512;

/** The format by its name, or null if the bytes shall show it. @throws ERR_UNSUPPORTED for an unknown name. */
export function formatOf(name: string | undefined): Format<FormatOptions> | null {
  if (name === undefined) return null;
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw expected("ERR_UNSUPPORTED", "format", `one of ${namesOfFormats()}`, name);
  return format;
}

/**
 * Opens the table in a source.
 * @param options options of the format and those of all formats
 * @param unknown creates the error for an unknown format, from the name of the source
 * @throws ERR_INPUT for an option of another format; ERR_UNSUPPORTED for an unknown format.
 */
export async function tableIn(
  source: ByteSource,
  stated: Format<FormatOptions> | null,
  options: CommonOptions & FormatOptions,
  unknown: (name: string) => PolybinError = unknownFormat,
): Promise<Table> {
  const { signal } = options;
  const format = stated ?? formatIn(await source.peek(HEAD_BYTES, { signal }), source.name, unknown);
  const taken: readonly string[] = [...COMMON, ...format.options];
  for (const option of Object.keys(options)) {
    if (!taken.includes(option)) throw foreign(source.name, format.name, option);
  }
  return format.open(source, options);
}

const foreign = (name: string, format: string, option: string): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    `${name}: expected options of ${format} but received ${option}, which other formats have`,
  );

function formatIn(
  head: Uint8Array,
  name: string,
  unknown: (name: string) => PolybinError,
): Format<FormatOptions> {
  const lower = unpackedName(name).toLowerCase();
  const found =
    formats.find((format) => format.detect(head, name)) ??
    formats.find(({ extensions }) => extensions.some((ending) => lower.endsWith(ending)));
  if (found !== undefined) return found;
  checkUnpacked(name, head);
  throw unknown(name);
}

/** The error for a place that no format claims. */
export const unknownFormat = (name: string): PolybinError =>
  new PolybinError(
    "ERR_UNSUPPORTED",
    `${name}: expected a table of a known format but neither its first bytes nor its name show one; pass format: one of ${namesOfFormats()}`,
  );

export const namesOfFormats = (): string => formats.map(({ name }) => name).join(", ");
