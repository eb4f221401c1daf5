import { expected } from "@polybin/core/backend";
import { DecodePool } from "../../pool/index.ts";
import type { ByteSource } from "../../source/index.ts";
import { type CommonOptions, damaged, type Format, fault, PART_BYTES, quoted } from "../../table/index.ts";
import type { Member } from "../npy/table.ts";
import type { ArchiveEntry } from "./archive.ts";

/** Options of NPZ files. */
export interface Options extends CommonOptions {
  /** Name of the array to read. Default: all, which must have the same number of rows. */
  readonly array?: string | undefined;
  readonly flatten?: boolean | undefined;
}

const decoder = new TextDecoder("latin1");
/** Offset of the name of a zip archive's first entry. */
const NAME_AT = 30;

/** Arrays of NumPy in a zip archive. */
export const format: Format<Options> = {
  name: "npz",
  extensions: [".npz"],
  options: ["array", "flatten"],
  detect(head, name) {
    // Many formats are zip archives. An NPZ file's first entry is an NPY file, or its name says so.
    if (head[0] !== 0x50 || head[1] !== 0x4b || (head[2] !== 3 && head[2] !== 5)) return false;
    const length = (head[26] ?? 0) + 256 * (head[27] ?? 0);
    return (
      decoder.decode(head.subarray(NAME_AT, NAME_AT + length)).endsWith(".npy") ||
      name.toLowerCase().endsWith(".npz")
    );
  },
  async open(source, { threads, partBytes = PART_BYTES, array, flatten, signal }) {
    const { checkFlatten } = await import("../npy/array.ts");
    const { ArraysTable } = await import("../npy/table.ts");
    const { entriesOf } = await import("./archive.ts");
    checkFlatten(flatten);
    if (array !== undefined && typeof array !== "string")
      throw expected("ERR_INPUT", "array", "the name of an array", array);
    const { name } = source;
    if (!source.seekable)
      throw fault(
        name,
        "ERR_UNSUPPORTED",
        "expected a file but an NPZ archive cannot be read as a stream; save it first",
      );
    const all = await entriesOf(source, signal);
    const entries = array === undefined ? all : all.filter((entry) => entry.name === array);
    if (array !== undefined && entries.length === 0) {
      throw expected(
        "ERR_INPUT",
        "array",
        `one of ${all
          .slice(0, 12)
          .map((entry) => quoted(entry.name))
          .join(", ")}`,
        array,
      );
    }
    const members: Member[] = [];
    for (const entry of entries) members.push(await memberOf(source, entry, flatten ?? false, signal));
    const [first] = members;
    const other = members.findIndex((member) => member.array.rows !== first!.array.rows);
    if (other > 0) {
      throw damaged(
        name,
        `expected arrays of the same number of rows but ${quoted(entries[0]!.name)} has ${first!.array.rows} and ` +
          `${quoted(entries[other]!.name)} has ${members[other]!.array.rows}; pass array: one of ${all
            .slice(0, 12)
            .map((entry) => quoted(entry.name))
            .join(", ")}`,
      );
    }
    return new ArraysTable(
      {
        format: "npz",
        name,
        partBytes,
        pool: new DecodePool(threads, source.size),
        source,
      },
      members,
    );
  },
};

async function memberOf(
  source: ByteSource,
  entry: ArchiveEntry,
  flatten: boolean,
  signal: AbortSignal | undefined,
): Promise<Member> {
  const { arrayOf } = await import("../npy/array.ts");
  const { headerOf } = await import("../npy/header.ts");
  const { rangeReader, streamReader } = await import("../npy/readers.ts");
  const name = `${source.name}, array ${entry.name}`;
  const { storedAt, size } = entry;
  const header = await headerOf(name, (length) => firstBytes(entry, length, signal));
  const { start, bytes: total } = header;
  if (size - start !== total)
    throw damaged(name, `expected ${total} bytes for the shape [${header.shape}] but found ${size - start}`);
  const array = arrayOf(name, header, flatten, entry.name);
  if (storedAt === null && header.isFortran && array.columns.length > 1) {
    throw fault(
      name,
      "ERR_UNSUPPORTED",
      "expected rows but its columns follow one another (Fortran order) and are compressed; save it with numpy.savez",
    );
  }
  return {
    array,
    seekable: storedAt !== null,
    open: (readSignal) =>
      storedAt === null
        ? streamReader(name, entry.stream(readSignal), { skip: start, total })
        : rangeReader(source, storedAt + start, readSignal),
  };
}

/** Reads the first bytes of an entry. */
async function firstBytes(
  entry: ArchiveEntry,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const first = new Uint8Array(length);
  let bytes = 0;
  for await (const piece of entry.stream(signal)) {
    first.set(piece.subarray(0, length - bytes), bytes);
    bytes += piece.length;
    if (bytes >= length) return first;
  }
  return first.subarray(0, bytes);
}
