import { pipeline } from "node:stream";
import zlib from "node:zlib";
import { isPolybinError, PolybinError } from "@polybin/core";

/** How a file is packed. */
export type Packing = "gzip" | "Zstandard";

/** Bytes that are unpacked at a time. The message about damage names the place as exactly as this. */
const SLICE_BYTES = 65_536;
/** Bytes of a piece of the content. */
const PIECE_BYTES = 1_048_576;

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** How far the packed bytes were taken. */
interface Taken {
  bytes: number;
  /** Whether they were taken to their end. */
  isWhole: boolean;
  /** The offset at which the engine must arrive. */
  end: number;
}

/**
 * Yields the content of packed bytes as far as the caller reads it. Several files may follow one another, as with
 * `cat a.gz b.gz`, and zeros may follow gzip.
 * @param onTaken receives the number of packed bytes that were taken
 * @throws ERR_INPUT if the bytes are damaged, cut, or followed by others.
 * @throws ERR_UNAVAILABLE if this Node cannot unpack them.
 */
export async function* unpacked(
  stream: Bytes,
  { name, packing }: { readonly name: string; readonly packing: Packing },
  onTaken: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const taken: Taken = { bytes: 0, isWhole: false, end: 0 };
  const slices = slicesOf(stream, taken, onTaken);
  const engine = engineOf(name, packing);
  // Errors of the stream end the engine, whose iterator throws them.
  const fed = packing === "gzip" ? padded(slices, taken) : terminated(slices, taken);
  try {
    yield* pipeline(fed, engine, () => {}) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isOfEngine(error)
      ? damaged(`${name}: expected whole ${packing} data`, engine, taken, error)
      : error;
  }
  const { bytesWritten: end } = engine;
  if (taken.isWhole && end >= taken.end) return;
  throw new PolybinError(
    "ERR_INPUT",
    `${name}: expected nothing but ${packing} data but they end at byte ${end} and something else follows`,
  );
}

async function* slicesOf(
  stream: Bytes,
  taken: Taken,
  onTaken: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      const slice = piece.subarray(at, at + SLICE_BYTES);
      taken.bytes += slice.length;
      onTaken(taken.bytes);
      yield slice;
    }
  }
}

const ZEROS = new Uint8Array(SLICE_BYTES);

/** Passes zeros on when something follows, or at the end: the engine takes them for padding and reads nothing behind them. */
async function* padded(slices: AsyncIterable<Uint8Array>, taken: Taken): AsyncGenerator<Uint8Array> {
  let zeros = 0;
  for await (const slice of slices) {
    const length = slice.findLastIndex((byte) => byte !== 0) + 1;
    if (length > 0) {
      yield* padding(zeros);
      zeros = 0;
      yield slice.subarray(0, length);
    }
    zeros += slice.length - length;
  }
  taken.isWhole = true;
  taken.end = taken.bytes - zeros;
  yield* padding(zeros);
}

function* padding(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= SLICE_BYTES) yield ZEROS.subarray(0, left);
}

/** Bytes of the largest header of a frame of Zstandard, and of the largest block. */
const HEADER_BYTES = 18;
const BLOCK_BYTES = 131_072;

/**
 * Adds a frame of Zstandard that is skipped. Node takes a part of a header at the end for the end. Behind such a part,
 * these bytes are a header or a block that cannot be. They come together with it, since Node forgets it otherwise.
 */
async function* terminated(slices: AsyncIterable<Uint8Array>, taken: Taken): AsyncGenerator<Uint8Array> {
  const frame = new Uint8Array(BLOCK_BYTES + HEADER_BYTES).fill(0xff);
  new DataView(frame.buffer).setUint32(0, 0x184d2a58, true);
  new DataView(frame.buffer).setUint32(4, frame.length - 8, true);
  let held = new Uint8Array(0);
  for await (const slice of slices) {
    const bytes = Buffer.concat([held, slice]);
    const length = Math.max(0, bytes.length - HEADER_BYTES);
    held = bytes.subarray(length);
    if (length > 0) yield bytes.subarray(0, length);
  }
  taken.isWhole = true;
  taken.end = taken.bytes + frame.length;
  yield Buffer.concat([held, frame]);
}

function engineOf(name: string, packing: Packing): zlib.Gunzip | zlib.ZstdDecompress {
  if (packing === "gzip") return zlib.createGunzip({ chunkSize: PIECE_BYTES });
  // Node has it from 22.15 on.
  const create = zlib.createZstdDecompress as typeof zlib.createZstdDecompress | undefined;
  if (create !== undefined) return create({ chunkSize: PIECE_BYTES });
  throw new PolybinError(
    "ERR_UNAVAILABLE",
    `${name}: expected Node 22.15 or newer, which unpacks Zstandard, but this is ${process.version}; pass the content as a stream: zstd -dc FILE`,
  );
}

const isOfEngine = (error: unknown): error is NodeJS.ErrnoException =>
  !isPolybinError(error) &&
  error instanceof Error &&
  /^(?:Z_|ZSTD_)/.test((error as NodeJS.ErrnoException).code ?? "");

function damaged(
  expected: string,
  { bytesWritten: read }: { readonly bytesWritten: number },
  { bytes, isWhole }: Taken,
  cause: NodeJS.ErrnoException,
): PolybinError {
  const isCut = cause.code === "Z_BUF_ERROR" || (isWhole && read >= bytes - HEADER_BYTES);
  const why = isCut
    ? `it ends after ${bytes} bytes, in the middle of them: it may have been cut`
    : `they are damaged, which shows behind byte ${read}: ${cause.message}`;
  return new PolybinError("ERR_INPUT", `${expected} but ${why}`, { cause });
}
