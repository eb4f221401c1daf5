import { DecodePool } from "../../pool/index.ts";
import { type CommonOptions, type Format, PART_BYTES } from "../../table/index.ts";
import { LINES, type Read, TextTable } from "../lib/text/index.ts";
import { checkedTypes, type TypesOption } from "../lib/values/index.ts";

/** Options of JSON lines. */
export interface Options extends CommonOptions {
  /** Types of fields. It also names fields that the first lines do not have. Default: the types that the first lines fit. */
  readonly types?: TypesOption | undefined;
}

/** One JSON object per line. */
export const format: Format<Options> = {
  name: "jsonl",
  extensions: [".jsonl", ".ndjson"],
  options: ["types"],
  // Other formats of JSON start with a brace, too.
  detect: () => false,
  async open(source, { types, threads, partBytes = PART_BYTES, signal }) {
    const { schemaOf } = await import("./schema.ts");
    const { columns, fields, newline, start } = await schemaOf(source, checkedTypes(types), signal);
    const fieldOf = new Map(fields.map(({ name }, index) => [name, index]));
    /** The columns with the indexes of their fields. */
    const readOf = <Picked extends Read>(picked: readonly Picked[]): Picked[] =>
      picked.map((column) => ({ ...column, index: fieldOf.get(column.name)! }));
    return new TextTable(source, new DecodePool(threads, (source.packed ?? source).size), {
      format: "jsonl",
      columns,
      layout: { start, newline, marks: LINES, partBytes },
      // A packed file is read from its start.
      hasParts: source.packed === null,
      decoder: { format: "jsonl", load: () => import("./decode.ts") },
      compiled: async (picked, threads) => {
        const { compiledOf } = await import("./compiled.ts");
        return compiledOf({ fields, newline, columns: readOf(picked) }, { start, partBytes, threads });
      },
      task: (bytes, picked, isCompiled) => ({
        ...{ bytes, isCompiled, newline, fields },
        columns: readOf(picked).map(({ index, name, type, isCounted }) => ({ index, name, type, isCounted })),
      }),
    });
  },
};
