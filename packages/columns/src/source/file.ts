import { type FileHandle, open } from "node:fs/promises";
import { PolybinError } from "@polybin/core";
import { seekableSource } from "./bytes.ts";
import type { ByteSource } from "./source.ts";
import { streamSource } from "./stream.ts";

/**
 * Opens a local file. A pipe or a device becomes a source that can only be streamed.
 * @throws ERR_INPUT if it does not exist, cannot be read, or is a folder.
 */
export async function fileSource(path: string, name: string): Promise<ByteSource> {
  const handle = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw new PolybinError("ERR_INPUT", `${name}: expected a readable file but ${reason(cause)}`, { cause });
  });
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isDirectory())
      throw new PolybinError("ERR_INPUT", `${name}: expected a file but it is a folder`);
    if (!stats.isFile()) return streamSource(handle.createReadStream(), name);
    return seekableSource({
      name,
      size: Number(stats.size),
      version: String(stats.mtimeNs),
      read: (offset, length) => readWhole(handle, offset, length),
      close: () => handle.close(),
    });
  } catch (error) {
    await handle.close();
    throw error;
  }
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
};

const reason = (error: NodeJS.ErrnoException): string => REASONS[error.code ?? ""] ?? error.message;
