import { DecodePool } from "../../pool/index.ts";
import { type CommonOptions, type Format, fault } from "../../table/index.ts";
import type { Footer } from "./footer.ts";

export interface Options extends CommonOptions {}

const MAGIC = "PAR1";

/** Apache Parquet. Its parts are the row groups. */
export const format: Format<Options> = {
  name: "parquet",
  extensions: [".parquet", ".parq", ".pq"],
  options: [],
  detect: (head) => String.fromCharCode(...head.subarray(0, MAGIC.length)) === MAGIC,
  async open(source, { threads, signal }) {
    if (!source.seekable) {
      throw fault(
        source.name,
        "ERR_UNSUPPORTED",
        "a Parquet file cannot be read as a stream, because its metadata are at its end; save it to a file",
      );
    }
    const [{ readFooter }, { ParquetTable }] = await Promise.all([
      import("./footer.ts"),
      import("./table.ts"),
    ]);
    const footer = await readFooter(source, signal);
    return new ParquetTable(source, new DecodePool(threads, decodedBytes(footer)), footer);
  },
};

/** The bytes of all values, about. Few bytes of a file may be many values. */
function decodedBytes({ groups }: Footer): number {
  const sizes = groups.flatMap(({ chunks }) => chunks.map(({ uncompressed }) => uncompressed || 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}
