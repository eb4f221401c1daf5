import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { PolybinError } from "@polybin/core";
import { checkFile, type Input, SAMPLE_TRAITS, samplesOf } from "@polybin/core/backend";
import { type Visible, visibleOf, WORKER_CHUNK_BYTES } from "../platform/index.ts";

/** The layout of samples: `height` rows of `width` pixels, `rowPitch` bytes apart. Dense samples are one row. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly rowPitch: number;
  /** Bytes per pixel. */
  readonly pixelBytes: number;
}

/** Where a thread finds samples. */
export type Source = { readonly geometry: Geometry } & (
  | {
      readonly kind: "memory";
      /** Shared memory, unless only the calling thread reads it. */
      readonly bytes: Uint8Array;
      /** The same memory for WebAssembly. Null: it cannot see it, or a copy costs less than an instance over it. */
      readonly visible: Visible | null;
    }
  | {
      readonly kind: "file";
      /** The path for messages. */
      readonly path: string;
      readonly fd: number;
      /** Bytes before the first sample. */
      readonly offset: number;
    }
);

/** Returns consecutive pixels as one row. */
export function rowOf(pixels: number, pixelBytes: number): Geometry {
  return { width: pixels, height: 1, rowPitch: pixels * pixelBytes, pixelBytes };
}

/** Returns samples in memory as the calling thread finds them. @throws ERR_UNSUPPORTED for files */
export function sourceOf(input: Input): Source {
  if (input.kind === "file") {
    const what = "piscina cannot read files synchronously: await count instead";
    throw new PolybinError("ERR_UNSUPPORTED", what, { backend: "piscina" });
  }
  const { type, channels, width, height, rowPitch, pixels, dense, bytes } = samplesOf(input);
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const geometry = dense ? rowOf(pixels, pixelBytes) : { width, height, rowPitch, pixelBytes };
  const visible = bytes.length > WORKER_CHUNK_BYTES ? visibleOf(bytes.buffer) : null;
  return { kind: "memory", geometry, bytes, visible };
}

/**
 * Opens files among inputs, and closes them when nothing reads them any more. `use` receives a source for each input, and
 * whether workers can read all of them.
 * @throws ERR_INPUT if a file does not match its description, before or after it was read
 */
export async function withSources<T>(
  inputs: readonly Input[],
  use: (sources: readonly Source[], isShared: boolean) => Promise<T>,
): Promise<T> {
  const files: { readonly handle: FileHandle; readonly check: () => Promise<void> }[] = [];
  try {
    const sources: Source[] = [];
    for (const input of inputs) {
      if (input.kind !== "file") sources.push(sourceOf(input));
      else {
        const { path, type, channels, offset, pixels } = input.file;
        const handle = await openFile(path);
        const check = async () => checkFile(input, await handle.stat({ bigint: true }));
        files.push({ handle, check });
        await check();
        const geometry = rowOf(pixels, SAMPLE_TRAITS[type].bytes * channels);
        sources.push({ kind: "file", geometry, path, fd: handle.fd, offset });
      }
    }
    const found = await use(sources, sources.every(isReadable));
    for (const { check } of files) await check();
    return found;
  } finally {
    for (const { handle } of files) await handle.close();
  }
}

function isReadable(source: Source): boolean {
  return source.kind === "file" || source.bytes.buffer instanceof SharedArrayBuffer;
}

/**
 * Opens without waiting. Otherwise a named pipe without a writer would block a thread that nothing can wake. After it
 * is open, a pipe is refused.
 */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, READ);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
