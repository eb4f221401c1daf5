import { DecodePool } from "../../pool/index.ts";
import type { Format } from "../../table/index.ts";
import { type Read, TextTable } from "../lib/text/index.ts";
import { checkOptions, marksOf, OPTIONS, type Options } from "./options.ts";
import type { CsvTask } from "./plain.ts";

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
    const taskOf = (picked: readonly Read[]): Omit<CsvTask, "bytes" | "isCompiled"> => ({
      ...{ encoding, ...dialect, nulls, forms, skipsBadRows },
      width: columns.length,
      columns: picked.map(({ index, name, type, isCounted = false }) => ({ index, name, type, isCounted })),
    });
    return new TextTable(source, new DecodePool(options.threads, (source.packed ?? source).size), {
      ...{ format: "csv", columns, guessed, skipsBadRows },
      layout: { start, newline: dialect.newline, marks: marksOf(dialect, [dialect.separator]), partBytes },
      // A packed file is read from its start. A part could start behind an escaped newline.
      hasParts: !quotedNewlines && source.packed === null && dialect.escape === null,
      decoder: { format: "csv", load: () => import("./decode.ts") },
      compiled: async (picked, threads) => {
        const { compiledOf } = await import("./compiled.ts");
        return compiledOf(taskOf(picked), { start, partBytes, threads });
      },
      task: (bytes, picked, isCompiled) => ({ bytes, isCompiled, ...taskOf(picked) }),
    });
  },
};
