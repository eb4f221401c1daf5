import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { PolybinError, type SampleType } from "@polybin/core";
import {
  bytesFrom,
  checkFile,
  type Input,
  SAMPLE_TRAITS,
  type Samples,
  Semaphore,
} from "@polybin/core/backend";
import { FILES_AT_ONCE } from "../base/index.ts";
import type { NativeSource } from "../border/index.ts";
import { CudaResident } from "./resident.ts";
import { split } from "./split.ts";

/** The part of an input that one device reads. */
export interface Share {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly source: NativeSource;
}

/** The properties of pixels that a kernel needs. */
interface Shape {
  readonly type: SampleType;
  readonly interleaved: number;
}

/** Opens an input for as long as `use` runs, with one share per device. */
export async function withShares<T>(
  input: Input,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  if (input.kind === "samples") return withSamples(input.samples, devices, use);
  if (input.kind === "file") return withFile(input, devices, use);
  const { shares, shape } = sharesOf(input, devices);
  return use(shares, shape);
}

/** Returns the shares of samples in memory or on the devices. @throws ERR_INPUT if they are in neither, or are gone. */
export function sharesOf(
  input: Exclude<Input, { readonly kind: "file" }>,
  devices: number,
): { readonly shares: readonly Share[]; readonly shape: Shape } {
  if (input.kind === "samples") return sharesOfSamples(input.samples, devices);
  if (input.kind === "external") {
    throw new PolybinError(
      "ERR_INPUT",
      "expected samples in host memory or a resident of this engine: cuda cannot count memory that others keep on a device",
      {
        backend: "cuda",
      },
    );
  }
  const { type, channels, parts } = residentOf(input);
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const shares = parts.map(({ device, pixels, id }) => ({
    device,
    source: { resident: id, first: 0, pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes },
  }));
  return { shares, shape: { type, interleaved: channels } };
}

/** @throws ERR_INPUT if another engine made it. */
export function residentOf({ resident }: Extract<Input, { readonly kind: "resident" }>): CudaResident {
  if (resident instanceof CudaResident) return resident;
  throw new PolybinError("ERR_INPUT", "expected a resident that this engine uploaded", { backend: "cuda" });
}

/**
 * Does the same for host memory, which the addon reads while JavaScript continues. Memory that can shrink in the
 * meantime is copied first.
 * @throws ERR_INPUT if the memory is gone, before or while it is read.
 */
async function withSamples<T>(
  samples: Samples,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  const { shares, shape, read } = sharesOfSamples(samples, devices);
  const result = await use(shares, shape);
  if (samples.pixels > 0 && read.byteLength === 0) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected the samples' memory to stay valid but it was transferred during the call",
      {
        backend: "cuda",
      },
    );
  }
  return result;
}

function sharesOfSamples(
  { type, channels, bytes, width, height, rowPitch, pixels }: Samples,
  devices: number,
): { readonly shares: readonly Share[]; readonly shape: Shape; readonly read: Uint8Array } {
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const length = pixels === 0 ? 0 : (height - 1) * rowPitch + width * pixelBytes;
  const there = bytesFrom(bytes, 0, length);
  const { buffer } = there;
  const shrinks = buffer instanceof ArrayBuffer && buffer.resizable;
  const read = shrinks ? there.slice() : there;
  const shares = split(pixels, devices).map((part) => ({
    device: part.device,
    source: { bytes: read, first: part.first, pixels: part.pixels, width, rowPitch, pixelBytes },
  }));
  return { shares, shape: { type, interleaved: channels }, read };
}

async function withFile<T>(
  input: Extract<Input, { readonly kind: "file" }>,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  return openFiles.hold(() => withOpenFile(input, devices, use));
}

/** Limits the files that a process has open, independent of the number of calls. */
const openFiles = new Semaphore(FILES_AT_ONCE);

async function withOpenFile<T>(
  input: Extract<Input, { readonly kind: "file" }>,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  const { path, type, channels, offset, pixels } = input.file;
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const file = await openFile(path);
  const check = async () => checkFile(input, await file.stat({ bigint: true }));
  try {
    await check();
    const shares = split(pixels, devices).map((part) => ({
      device: part.device,
      source: {
        fd: file.fd,
        offset,
        first: part.first,
        pixels: part.pixels,
        pixelBytes,
        width: pixels,
        rowPitch: pixels * pixelBytes,
      },
    }));
    const result = await use(shares, { type, interleaved: channels });
    await check();
    return result;
  } finally {
    await file.close();
  }
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
    throw new PolybinError("ERR_INPUT", `cannot read ${path}: ${(cause as Error).message}`, {
      backend: "cuda",
      cause,
    });
  }
}
