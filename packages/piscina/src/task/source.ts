import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { PolybinError } from "@polybin/core";
import { checkFile, type Input, SAMPLE_TRAITS, type Samples, samplesOf } from "@polybin/core/backend";
import { visibleOf } from "../platform/index.ts";
import type { Geometry } from "./chunks.ts";
import type { Source } from "./task.ts";

/** An input as workers reach it. Call `release` when nothing reads it any more. */
export interface Reached {
  /** Null if the memory is not shared, so that workers must receive it in pieces. */
  readonly source: Source | null;
  readonly geometry: Geometry;
  readonly interleaved: number;
  /** Checks the input after all of it was read. @throws ERR_INPUT if a file was changed meanwhile */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Finds out how workers reach an input, and opens a file. @throws ERR_INPUT if the file does not match its description
 */
export async function reach(input: Input): Promise<Reached> {
  if (input.kind === "file") return reachFile(input);
  const samples = samplesOf(input);
  const geometry = geometryOf(samples);
  const shared = samples.bytes.buffer instanceof SharedArrayBuffer;
  return {
    source: shared
      ? { kind: "memory", geometry, bytes: samples.bytes, visible: visibleOf(samples.bytes.buffer) }
      : null,
    geometry,
    interleaved: samples.channels,
    check: async () => {},
    release: async () => {},
  };
}

/** Returns the layout of samples in their memory. */
export function geometryOf({ type, channels, width, height, rowPitch, pixels, dense }: Samples): Geometry {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  return dense
    ? { width: pixels, height: 1, rowPitch: pixels * pixelBytes, pixelBytes }
    : { width, height, rowPitch, pixelBytes };
}

async function reachFile(input: Extract<Input, { readonly kind: "file" }>): Promise<Reached> {
  const { path, type, channels, offset, pixels } = input.file;
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const bytes = pixels * pixelBytes;
  const geometry = { width: pixels, height: 1, rowPitch: bytes, pixelBytes };
  const file = await openFile(path);
  const check = async () => checkFile(input, await file.stat({ bigint: true }));
  try {
    await check();
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    source: { kind: "file", path, geometry, fd: file.fd, offset },
    geometry,
    interleaved: channels,
    check,
    release: () => file.close(),
  };
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
