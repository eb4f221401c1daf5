import type { ByteSource } from "../../source/index.ts";
import { asDamage, damaged } from "../../table/index.ts";
import { crc32 } from "./crc32.ts";
import type { DirectoryEntry } from "./directory.ts";

/** Bytes of the archive that are read at a time. */
const PIECE_BYTES = 262_144;

/** Place and form of an entry's bytes. */
interface Data {
  readonly at: number;
  readonly isStored: boolean;
}

/**
 * Yields the content of an entry as it is decompressed, and no faster than the caller reads it.
 * @throws ERR_INPUT unless it has the size and the checksum that the directory states
 */
export async function* contentOf(
  source: ByteSource,
  entry: DirectoryEntry,
  { at, isStored }: Data,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { name } = source;
  const { filename, compressedSize, uncompressedSize } = entry;
  const packed = pieces(source, at, compressedSize, signal);
  let bytes = 0;
  let checksum = 0;
  // The last piece waits for the checks, since a caller that has all bytes does not ask for more.
  let held: Uint8Array | null = null;
  try {
    for await (const piece of isStored ? packed : inflated(packed)) {
      bytes += piece.length;
      if (bytes > uncompressedSize)
        throw damaged(name, `expected ${uncompressedSize} bytes of ${filename} but found more`);
      checksum = crc32(piece, checksum);
      if (held !== null) yield held;
      held = piece;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw asDamage(name, error);
  }
  signal?.throwIfAborted();
  if (bytes < uncompressedSize)
    throw damaged(name, `expected ${uncompressedSize} bytes of ${filename} but found ${bytes}`);
  if (checksum !== entry.crc32)
    throw damaged(name, `expected the checksum ${entry.crc32} of ${filename} but its bytes have ${checksum}`);
  if (held !== null) yield held;
}

async function* pieces(
  source: ByteSource,
  at: number,
  length: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let done = 0; done < length; done += PIECE_BYTES)
    yield await source.read(at + done, Math.min(PIECE_BYTES, length - done), { signal });
}

/** Decompresses DEFLATE. @throws the error of the pieces, or a TypeError if they are damaged */
async function* inflated(packed: AsyncGenerator<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  let failure: { readonly error: unknown } | null = null;
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await packed.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          failure = { error };
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  const reader = input.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    // The stream may have an error of its own in place of the one that ended it.
    throw (failure as { readonly error: unknown } | null)?.error ?? error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
