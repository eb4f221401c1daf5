import { PolybinError } from "../base/index.ts";
import { checkFile, type FileState } from "./file-state.ts";
import type { FileSamples, Input } from "./handed.ts";
import { STREAM_CHUNK } from "./limits.ts";
import { newPiece } from "./piece.ts";
import { SAMPLE_TRAITS } from "./sample-types.ts";

/** The parts of node:fs that this file uses. Core also runs where there are no files, so it does not import them. */
interface NodeFiles {
  readonly constants: { readonly O_RDONLY: number; readonly O_NONBLOCK?: number };
  readonly promises: { open(path: string, flags: number): Promise<OpenFile> };
}

/** An open file. */
export interface OpenFile {
  /** The descriptor, for native code. */
  readonly fd: number;
  stat(options: { readonly bigint: true }): Promise<FileState>;
  read(into: Uint8Array, to: number, length: number, at: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

interface NodeGlobals {
  readonly process?: { getBuiltinModule?(id: string): object | undefined };
}

type File = Extract<Input, { readonly kind: "file" }>;

/**
 * Opens the file of an input for `use`, checks it before and afterwards, and closes it.
 * @throws ERR_UNSUPPORTED if the platform has no files.
 * @throws ERR_INPUT if the file cannot be read, does not hold the samples, or changes while it is used.
 */
export async function withFile<T>(input: File, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await opened(input.file.path);
  try {
    checkFile(input, await file.stat({ bigint: true }));
    const found = await use(file);
    checkFile(input, await file.stat({ bigint: true }));
    return found;
  } finally {
    await file.close();
  }
}

/**
 * Yields the bytes of the samples of a file, in pieces of about 8 MiB that hold whole pixels. Two buffers alternate, so
 * a piece is valid until the second next one is requested. The file is closed when the generator ends.
 * @throws as `withFile` does
 */
export async function* filePieces(input: File): AsyncGenerator<Uint8Array, void, undefined> {
  const { path, type, channels, offset, pixels } = input.file;
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const file = await opened(path);
  try {
    checkFile(input, await file.stat({ bigint: true }));
    const end = offset + pixels * pixelBytes;
    const size = Math.min(STREAM_CHUNK - (STREAM_CHUNK % pixelBytes), end - offset);
    const buffers: Uint8Array[] = [];
    for (let at = offset, piece = 0; at < end; piece++) {
      buffers[piece % 2] ??= newPiece(size);
      const bytes = buffers[piece % 2]!.subarray(0, end - at);
      await fill(input.file, file, bytes, at);
      at += bytes.length;
      if (at >= end) checkFile(input, await file.stat({ bigint: true }));
      yield bytes;
    }
  } finally {
    await file.close();
  }
}

/** Reads the bytes from a position on. @throws ERR_INPUT if the file ends before them */
async function fill({ path }: FileSamples, file: OpenFile, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, at + done);
    if (bytesRead === 0) {
      const more = `expected ${bytes.length - done} more bytes at ${at + done} of ${path}`;
      throw new PolybinError("ERR_INPUT", `${more} but the file was cut while it was read`);
    }
    done += bytesRead;
  }
}

async function opened(path: string): Promise<OpenFile> {
  const { process } = globalThis as NodeGlobals;
  const fs = process?.getBuiltinModule?.("node:fs") as NodeFiles | undefined;
  if (fs === undefined) {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected a platform with files for ${path} but there are none: pass a File or a Blob`,
    );
  }
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  try {
    // Without O_NONBLOCK, a named pipe without a writer would block the call. checkFile refuses it.
    return await fs.promises.open(path, O_RDONLY | O_NONBLOCK);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
