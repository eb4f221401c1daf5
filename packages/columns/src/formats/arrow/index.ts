import { DecodePool } from "../../pool/index.ts";
import { type CommonOptions, type Format, fault } from "../../table/index.ts";
import { isStream } from "./detect.ts";

export interface Options extends CommonOptions {}

const FILE_MAGIC = "ARROW1";
const FEATHER_MAGIC = "FEA1";

const startsWith = (head: Uint8Array, magic: string) =>
  String.fromCharCode(...head.subarray(0, magic.length)) === magic;

/** Arrow IPC: files, which are also Feather's version 2, and streams. Their parts are the record batches. */
export const format: Format<Options> = {
  name: "arrow",
  extensions: [".arrow", ".arrows", ".feather", ".ipc"],
  options: [],
  detect: (head) => startsWith(head, FILE_MAGIC) || startsWith(head, FEATHER_MAGIC) || isStream(head),
  async open(source, { threads, signal }) {
    const head = await source.peek(8, { signal });
    if (startsWith(head, FEATHER_MAGIC)) {
      throw fault(
        source.name,
        "ERR_UNSUPPORTED",
        "it is a Feather file of version 1, and only version 2 is read; write it again with a newer version",
      );
    }
    const isFile = startsWith(head, FILE_MAGIC);
    if (isFile && !source.seekable) {
      throw fault(
        source.name,
        "ERR_UNSUPPORTED",
        "an Arrow file cannot be read as a stream; save it to a file, or write Arrow's stream format",
      );
    }
    const [{ seekableOrigin, streamOrigin }, { ArrowTable }] = await Promise.all([
      import("./origin.ts"),
      import("./table.ts"),
    ]);
    const origin = source.seekable
      ? await seekableOrigin(source, isFile, signal)
      : await streamOrigin(source, signal);
    return new ArrowTable(source, new DecodePool(threads, source.size), origin);
  },
};
