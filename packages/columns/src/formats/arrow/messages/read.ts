import type { ByteSource } from "../../../source/index.ts";
import { becauseOf, checkColumnCount, damaged, fault } from "../../../table/index.ts";
import { MAX_METADATA_BYTES } from "../limits.ts";
import { TooManyColumns } from "./fields.ts";
import { type Blocks, blocksIn, type Message, messageIn } from "./message.ts";

/** The word before a message's length. Older streams lack it. */
const CONTINUED = 0xffff_ffff;
/** Bytes that are read at a message's position at once. Most metadata fit. */
const FIRST_BYTES = 16_384;
const FILE_MAGIC = "ARROW1";
/** Bytes after a file's footer: its length, and the magic number. */
const TAIL_BYTES = 4 + FILE_MAGIC.length;

/** A message at a place. */
export interface Placed {
  readonly message: Message;
  readonly metadata: Uint8Array;
  /** Position of the body. */
  readonly bodyAt: number;
  /** Position after the body. */
  readonly end: number;
}

/** Returns the bytes before a message's metadata, and the length of these. A length of 0 ends the stream. */
export function prefixOf(
  name: string,
  bytes: Uint8Array,
): { readonly prefix: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNew = view.getUint32(0, true) === CONTINUED;
  if (isNew && bytes.length < 8) throw damaged(name, "it ends before the length of a message");
  const length = view.getUint32(isNew ? 4 : 0, true);
  if (length > MAX_METADATA_BYTES) {
    throw fault(
      name,
      "ERR_LIMIT",
      `expected at most ${MAX_METADATA_BYTES} bytes of metadata in a message but received ${length}`,
    );
  }
  return { prefix: isNew ? 8 : 4, length };
}

/** Reads the metadata of a message. Null at the end of the stream. */
export function checkedMessage(name: string, metadata: Uint8Array): Message {
  try {
    return messageIn(metadata);
  } catch (error) {
    if (error instanceof TooManyColumns) checkColumnCount(name, error.columns);
    throw damaged(name, `a message is damaged${becauseOf(error)}`, error);
  }
}

/** Reads the message at a position, without its body. Null at the end of the stream. */
export async function messageAt(
  source: ByteSource,
  at: number,
  signal: AbortSignal | undefined,
): Promise<Placed | null> {
  const { name } = source;
  const left = source.size! - at;
  // A stream may end without a mark.
  if (left === 0) return null;
  if (left < 4) throw damaged(name, `it ends inside a message at ${at}`);
  const head = await source.read(at, Math.min(FIRST_BYTES, left), { signal });
  const { prefix, length } = prefixOf(name, head);
  if (length === 0) return null;
  if (prefix + length > left) throw damaged(name, `it ends inside the metadata of a message at ${at}`);
  const metadata =
    prefix + length <= head.length
      ? head.subarray(prefix, prefix + length)
      : await source.read(at + prefix, length, { signal });
  const message = checkedMessage(name, metadata);
  const bodyAt = at + prefix + length;
  const end = bodyAt + message.bodyBytes;
  if (end > source.size!) throw damaged(name, `it ends inside the body of a message at ${at}`);
  return { message, metadata, bodyAt, end };
}

/** Reads a file's footer. */
export async function footerOf(source: ByteSource, signal: AbortSignal | undefined): Promise<Blocks> {
  const { name } = source;
  const size = source.size!;
  const tail = size < 8 + TAIL_BYTES ? null : await source.read(size - TAIL_BYTES, TAIL_BYTES, { signal });
  if (tail === null || String.fromCharCode(...tail.subarray(4)) !== FILE_MAGIC) {
    throw damaged(
      name,
      `expected an Arrow file to end with ${FILE_MAGIC} but it does not: it is truncated, or still being written`,
    );
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (length > MAX_METADATA_BYTES)
    throw fault(
      name,
      "ERR_LIMIT",
      `expected at most ${MAX_METADATA_BYTES} bytes of metadata but received ${length}`,
    );
  if (length > size - TAIL_BYTES - 8) throw damaged(name, `its end states a footer of ${length} bytes`);
  const footer = await source.read(size - TAIL_BYTES - length, length, { signal });
  try {
    return blocksIn(footer);
  } catch (error) {
    throw damaged(name, `its footer is damaged${becauseOf(error)}`, error);
  }
}
