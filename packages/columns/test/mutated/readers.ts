// Takes the place of the compiled readers in a process that reads damaged tables, so that JavaScript reads them, too.
import * as own from "@polybin/native/readers";

export { TEXT_MOST_BYTES } from "@polybin/native/readers";

/** Whether tables are read by compiled code. */
export const compiled: { isOn: boolean } = { isOn: true };

const switched =
  <R>(reader: () => R): (() => R | null) =>
  () =>
    compiled.isOn ? reader() : null;

export const csvReader: typeof own.csvReader = switched(own.csvReader);
export const jsonlReader: typeof own.jsonlReader = switched(own.jsonlReader);
export const parquetReader: typeof own.parquetReader = switched(own.parquetReader);
