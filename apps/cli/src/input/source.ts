import { createReadStream, fstatSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Readable } from "node:stream";
import { PolybinError } from "@polybin/core";
import { suggestion } from "@polybin/core/backend";
import { HEAD_BYTES } from "@polybin/pictures/formats";
import { readFifo } from "./fifo.ts";
import { Unchanged } from "./unchanged.ts";

/** Bytes per read. */
const READ_BYTES = 1 << 20;

/** The origin of the bytes. */
export interface Source {
  /** The file's name, `-` for standard input. */
  readonly name: string;
  /** The path as it was typed. */
  readonly path: string;
  /** A regular file, which can be read again and from several places. Null for a pipe. */
  readonly file: Pick<Unchanged, "path" | "bytes" | "check"> | null;
  /** The first bytes, at most HEAD_BYTES. */
  readonly head: Uint8Array;
  /** The number of bytes, or null if it is above `most`. Reads a pipe ahead to find out. */
  bytesUpTo(most: number): Promise<number | null>;
  /**
   * All bytes from the first on. A pipe can be read once.
   * @throws ERR_INPUT at the end of a file that has changed since it was opened.
   */
  stream(): AsyncIterable<Uint8Array>;
}

/**
 * Opens a path, or standard input for `-`, and reads its first bytes.
 * @throws ERR_INPUT for a folder. The file system's own error if the path cannot be opened.
 */
export async function openSource(path: string, signal: AbortSignal): Promise<Source> {
  if (path === "-") {
    // Node reads a folder on standard input as if it were empty.
    if (fstatSync(process.stdin.fd).isDirectory()) {
      throw new PolybinError("ERR_INPUT", "expected bytes on standard input but it is a folder");
    }
    return pipe("-", "-", process.stdin, signal);
  }
  if (path === "") throw new PolybinError("ERR_INPUT", 'expected a file or - but received ""');
  const stats = await stat(path, { bigint: true }).catch((error: unknown) => missing(path, error));
  if (stats.isDirectory()) {
    throw new PolybinError("ERR_INPUT", `expected a file but ${path} is a folder`);
  }
  const name = basename(path);
  if (stats.isFIFO()) return pipe(name, path, await readFifo(path), signal);
  // A file without a size may have bytes (/proc, devices), so it is read as a pipe.
  if (!stats.isFile() || stats.size === 0n)
    return pipe(name, path, createReadStream(path, { highWaterMark: READ_BYTES }), signal);
  const file = new Unchanged(path, stats);
  return {
    name,
    path,
    file,
    head: await headOf(path),
    bytesUpTo: async (most) => (file.bytes > most ? null : file.bytes),
    stream: () => file.read(READ_BYTES),
  };
}

/** @throws ERR_INPUT with a name that is near, if there is one, else the error itself */
async function missing(path: string, error: unknown): Promise<never> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = names.length > 1 && !basename(path).startsWith(".") ? suggestion(basename(path), names) : null;
  if ((error as NodeJS.ErrnoException).code !== "ENOENT" || near === null) throw error;
  throw new PolybinError("ERR_INPUT", `cannot open ${path}: there is no such file or folder; ${near}`, {
    cause: error,
  });
}

async function headOf(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function pipe(name: string, path: string, stream: Readable, signal: AbortSignal): Promise<Source> {
  // Code that waits for a silent pipe would never see the abort.
  signal.addEventListener("abort", () => stream.destroy(), { once: true });
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let bytes = 0;
  let ended = false;
  const readAhead = async (most: number) => {
    while (bytes < most && !ended) {
      const { done = false, value } = await chunks.next();
      ended = done;
      if (done) break;
      begun.push(value);
      bytes += value.length;
    }
  };
  await readAhead(HEAD_BYTES);
  const head = new Uint8Array(Buffer.concat(begun).subarray(0, HEAD_BYTES));
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      // Chunks are dropped as they are passed on, so a pipe that was read ahead is not held until its end.
      for (let next = begun.shift(); next !== undefined; next = begun.shift()) yield next;
      while (!ended) {
        const { done, value } = await chunks.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      // A consumer that stops early closes the pipe. An open standard input would keep the process alive.
      await chunks.return?.();
    }
  }
  return {
    name,
    path,
    file: null,
    head,
    bytesUpTo: async (most) => {
      if (most > 0) await readAhead(most + 1);
      return ended && bytes <= most ? bytes : null;
    },
    stream: all,
  };
}

/** The most bytes that are gathered in memory. */
export const GATHER_BYTES: number = 2 ** 31;

/**
 * Reads all bytes of a source into memory.
 * @returns null if there are more than GATHER_BYTES
 */
export async function gather(source: Source, signal: AbortSignal): Promise<Uint8Array | null> {
  if (source.file !== null && source.file.bytes > GATHER_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source.stream()) {
    signal.throwIfAborted();
    bytes += chunk.length;
    if (bytes > GATHER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** The error for a source that is too large to be held in memory. */
export function tooBig(
  source: Pick<Source, "name">,
  code: "ERR_AXIS" | "ERR_LIMIT",
  remedy: string,
): PolybinError {
  return new PolybinError(
    code,
    `expected at most ${GATHER_BYTES} bytes that must be held in memory but ${source.name} has more; ${remedy}`,
  );
}
