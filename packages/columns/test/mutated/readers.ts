// Takes the place of the compiled readers in a process that reads damaged tables, so that each of them reads them.
import * as own from "@polybin/native/readers";

export { TEXT_MOST_BYTES } from "@polybin/native/readers";

/** What reads tables: the addon, WebAssembly, which reads text only, or JavaScript. */
export type Kind = "addon" | "WebAssembly" | "JavaScript";

export const reading: { by: Kind } = { by: "addon" };

const addons =
  <R>(reader: () => R): (() => R | null) =>
  () =>
    reading.by === "addon" ? reader() : null;

export const csvReader: typeof own.csvReader = addons(own.csvReader);
export const jsonlReader: typeof own.jsonlReader = addons(own.jsonlReader);
export const parquetReader: typeof own.parquetReader = addons(own.parquetReader);
export const textInWebAssembly: typeof own.textInWebAssembly = async () =>
  reading.by === "WebAssembly" ? own.textInWebAssembly() : null;
