import { type BigIntStats, fstatSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { PolybinError } from "@polybin/core";
import { closedError, seekableSource } from "./bytes.ts";
import type { ByteSource } from "./source.ts";
import { streamSource } from "./stream.ts";

/**
 * Opens a local file. A pipe or a device becomes a source that can only be streamed. It is opened when it is read first,
 * because opening a pipe waits for its writer, and its bytes are lost when it is closed.
 * @throws ERR_INPUT if it does not exist, cannot be read, or is a folder.
 */
export async function fileSource(path: string, name: string): Promise<ByteSource> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (kind.isDirectory()) throw new PolybinError("ERR_INPUT", `${name}: expected a file but it is a folder`);
  if (!kind.isFile()) return streamSource(pieces(path, name), name);
  const handle = await opened(path, name);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile())
      throw new PolybinError(
        "ERR_INPUT",
        `${name}: expected a file but it was replaced while it was opened; open it again`,
      );
    return seekableSource({
      name,
      size: Number(stats.size),
      version: String(stats.mtimeNs),
      read: async (offset, length) => {
        const bytes = await readWhole(handle, offset, length);
        checkSame(handle, stats, name);
        return bytes;
      },
      file: { descriptor: handle.fd, check: () => checkSame(handle, stats, name) },
      close: () => handle.close(),
    });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Yields the bytes of a pipe or a device. The stream closes it at its end. */
async function* pieces(path: string, name: string): AsyncGenerator<Uint8Array> {
  yield* (await opened(path, name)).createReadStream();
}

async function opened(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function unreadable(name: string, cause: unknown): PolybinError {
  const text = reason(cause as NodeJS.ErrnoException);
  return new PolybinError("ERR_INPUT", `${name}: expected a readable file but ${text}`, { cause });
}

/** @throws ERR_INPUT if a file was written to since it was opened: its bytes may be of two states. */
function checkSame({ fd }: FileHandle, { size, mtimeNs }: BigIntStats, name: string): void {
  // A handle that is closed has no descriptor.
  if (fd < 0) throw closedError(name);
  // A call takes two microseconds, and a read takes more.
  const now = fstatSync(fd, { bigint: true });
  if (now.size === size && now.mtimeNs === mtimeNs) return;
  const what = now.size === size ? "was written to" : `had ${size} bytes and has ${now.size} now`;
  throw new PolybinError(
    "ERR_INPUT",
    `${name}: expected the same content in every read but it ${what}; open it again`,
  );
}

async function readWhole(
  handle: FileHandle,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is none",
  EACCES: "access is denied",
  EPERM: "access is denied",
  ELOOP: "its links form a circle",
  EMFILE: "too many files are open; raise their limit (ulimit -n), or pass fewer files",
};

const reason = (error: NodeJS.ErrnoException): string => REASONS[error.code ?? ""] ?? error.message;
