import { DecodePool } from "../../pool/index.ts";
import type { Format, PickedColumn } from "../../table/index.ts";
import { TextTable } from "../lib/text/index.ts";
import type { CsvTask } from "./decode.ts";
import { checkOptions, OPTIONS, type Options } from "./options.ts";

export type { Options } from "./options.ts";

/** Comma-separated values, and values separated by tabs, semicolons or bars. */
export const format: Format<Options> = {
  name: "csv",
  extensions: [".csv", ".tsv", ".tab"],
  options: OPTIONS,
  // Any text could be a table, so only the name of a file shows it.
  detect: () => false,
  async open(source, options) {
    const checked = checkOptions(options);
    const { schemaOf } = await import("./schema.ts");
    const { columns, separator, newline, start } = await schemaOf(source, checked, options.signal);
    const { quote, quotedNewlines, encoding, nulls, partBytes } = checked;
    const taskOf = (picked: readonly PickedColumn[]): Omit<CsvTask, "bytes"> => ({
      ...{ encoding, separator, quote, newline, nulls },
      width: columns.length,
      columns: picked.map(({ index, name, type }) => ({ index, name, type })),
    });
    return new TextTable(source, new DecodePool(options.threads, (source.packed ?? source).size), {
      format: "csv",
      columns,
      layout: { start, newline, quote: quote === null ? null : quote.charCodeAt(0), partBytes },
      // A packed file is read from its start.
      hasParts: !quotedNewlines && source.packed === null,
      decoder: { format: "csv", load: () => import("./decode.ts") },
      compiled: async (picked, threads) => {
        const { compiledOf } = await import("./compiled.ts");
        return compiledOf(taskOf(picked), { start, partBytes, threads });
      },
      task: (bytes, picked) => ({ bytes, ...taskOf(picked) }),
    });
  },
};
