import { DecodePool } from "../../pool/index.ts";
import { type CommonOptions, damaged, type Format, fault, PART_BYTES } from "../../table/index.ts";
import { isNpy } from "./header.ts";

/** Options of NPY files. */
export interface Options extends CommonOptions {
  /** Whether the elements of two dimensions form one column. Default: one column for each index of the second one. */
  readonly flatten?: boolean | undefined;
}

/** An array of NumPy in a file. */
export const format: Format<Options> = {
  name: "npy",
  extensions: [".npy"],
  options: ["flatten"],
  detect: isNpy,
  // Values are copied as they are, which takes less time than to pass them between threads.
  async open(source, { threads = 0, partBytes = PART_BYTES, flatten, signal }) {
    const { checkFlatten, arrayOf } = await import("./array.ts");
    const { headerOf } = await import("./header.ts");
    const { rangeReader, streamReader } = await import("./readers.ts");
    const { ArraysTable } = await import("./table.ts");
    checkFlatten(flatten);
    const { name, size, seekable } = source;
    const header = await headerOf(name, (length) => source.peek(length, { signal }));
    const { start, bytes: total } = header;
    if (size !== null && size - start !== total) {
      throw damaged(
        name,
        `expected ${total} bytes for the shape [${header.shape}] but found ${size - start}`,
      );
    }
    const array = arrayOf(name, header, flatten ?? false, "");
    if (!seekable && header.isFortran && array.columns.length > 1) {
      throw fault(
        name,
        "ERR_UNSUPPORTED",
        "expected rows of a stream but its columns follow one another (Fortran order); save it as a file",
      );
    }
    return new ArraysTable({ format: "npy", name, partBytes, pool: new DecodePool(threads, size), source }, [
      {
        array,
        seekable,
        open: (readSignal) =>
          seekable
            ? rangeReader(source, start, readSignal)
            : streamReader(name, source.stream({ signal: readSignal }), { skip: start, total }),
      },
    ]);
  },
};
