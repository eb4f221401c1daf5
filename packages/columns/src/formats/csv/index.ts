import { DecodePool } from "../../pool/index.ts";
import type { Format, PickedColumn } from "../../table/index.ts";
import { TextTable } from "../lib/text/index.ts";
import type { CsvTask } from "./decode.ts";
import { checkOptions, marksOf, OPTIONS, type Options } from "./options.ts";

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
    const { columns, dialect, start, guessed } = await schemaOf(source, checked, options.signal);
    const { quotedNewlines, encoding, nulls, partBytes, forms, skipsBadRows } = checked;
    const taskOf = (picked: readonly PickedColumn[]): Omit<CsvTask, "bytes"> => ({
      ...{ encoding, ...dialect, nulls, forms, skipsBadRows },
      width: columns.length,
      columns: picked.map(({ index, name, type }) => ({ index, name, type })),
    });
    return new TextTable(source, new DecodePool(options.threads, (source.packed ?? source).size), {
      ...{ format: "csv", columns, guessed, skipsBadRows },
      layout: { start, newline: dialect.newline, marks: marksOf(dialect, [dialect.separator]), partBytes },
      // A packed file is read from its start. A part could start behind an escaped newline.
      hasParts: !quotedNewlines && source.packed === null && dialect.escape === null,
      decoder: { format: "csv", load: () => import("./decode.ts") },
      compiled: async (picked, threads) => {
        const { compiledOf } = await import("./compiled.ts");
        return compiledOf({ ...taskOf(picked), columns: picked }, { start, partBytes, threads });
      },
      task: (bytes, picked) => ({ bytes, ...taskOf(picked) }),
    });
  },
};
