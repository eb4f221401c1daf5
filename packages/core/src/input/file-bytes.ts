import { PolybinError } from "../base/index.ts";
import { checkFile, type FileState } from "./file-state.ts";
import type { Input } from "./handed.ts";
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

/** Bytes of one read. */
const READ_BYTES = 2 ** 20;

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
 * Yields the bytes of the samples of a file. A piece is valid until the next one is requested. The file is closed when
 * the generator ends.
 * @throws as `withFile` does
 */
export async function* fileBytes(input: File): AsyncGenerator<Uint8Array> {
  const { path, type, channels, offset, pixels } = input.file;
  const file = await opened(path);
  try {
    checkFile(input, await file.stat({ bigint: true }));
    const end = offset + pixels * channels * SAMPLE_TRAITS[type].bytes;
    const buffer = new Uint8Array(Math.min(READ_BYTES, end - offset));
    for (let at = offset; at < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at), at);
      // A file that was truncated has no more bytes.
      if (bytesRead === 0) break;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    checkFile(input, await file.stat({ bigint: true }));
  } finally {
    await file.close();
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
