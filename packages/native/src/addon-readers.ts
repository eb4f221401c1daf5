import { isPolybinError } from "@polybin/core";
import { loaded } from "./platform/index.ts";
import {
  type CsvRequest,
  type JsonlRequest,
  packedColumns,
  packedCsv,
  packedFields,
  type TextPartReader,
  type TextPlace,
} from "./text/index.ts";

/** Returns a reader, or null if there is no addon for this platform. */
export function readerOf<Reader>(make: (addon: ReturnType<typeof loaded>) => Reader): Reader | null {
  try {
    return make(loaded());
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_UNAVAILABLE") return null;
    throw error;
  }
}

/**
 * Returns the addon's reader of CSV, or null if there is no addon for this platform. It does not read records with
 * quotation marks within a field, another number of fields, or another encoding.
 */
export const csvReader = (): TextPartReader<CsvRequest> | null =>
  readerOf((addon) => ({
    read: (bytes, request) => addon.readCsv(bytes, ...packedCsv(request)),
    readPart: (place, request) => addon.readCsvPart(placeOf(place), ...packedCsv(request)),
  }));

/**
 * Returns the addon's reader of JSON lines, or null if there is no addon for this platform. It does not read lines that are
 * no object, with other keys or a key twice, or with a value that does not have the type of its column. Other keys of the
 * objects in lines are passed over.
 */
export const jsonlReader = (): TextPartReader<JsonlRequest> | null =>
  readerOf((addon) => ({
    read: (bytes, { threads, columns, fields }) =>
      addon.readJsonl(bytes, threads, packedColumns(columns), ...packedFields(fields)),
    readPart: (place, { threads, columns, fields }) =>
      addon.readJsonlPart(placeOf(place), threads, packedColumns(columns), ...packedFields(fields)),
  }));

/** The numbers of a part as the addon takes them. */
const placeOf = ({ descriptor, start, size, partBytes, part }: TextPlace): Float64Array =>
  Float64Array.of(descriptor, start, size, partBytes, part);
