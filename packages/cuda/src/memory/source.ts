import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { PolybinError, type SampleType } from "@polybin/core";
import { bytesFrom, checkFile, type Input, SAMPLE_TRAITS, type Samples } from "@polybin/core/backend";
import type { NativeSource } from "../border/index.ts";
import { CudaResident } from "./resident.ts";
import { split } from "./split.ts";

/** What one device reads. */
export interface Share {
  /** Which of the devices, counted from 0. */
  readonly device: number;
  readonly source: NativeSource;
}

/** What a kernel needs to know of pixels. */
interface Shape {
  readonly type: SampleType;
  readonly interleaved: number;
}

/** Opens what an input stands for, in a share for each of so many devices, for as long as `use` takes. */
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

/** What lies in memory or on the devices, in shares. @throws ERR_INPUT where it is neither, or is gone. */
export function sharesOf(
  input: Exclude<Input, { readonly kind: "file" }>,
  devices: number,
): { readonly shares: readonly Share[]; readonly shape: Shape } {
  if (input.kind === "samples") return sharesOfSamples(input.samples, devices);
  if (input.kind === "external") {
    throw new PolybinError("ERR_INPUT", "cuda counts no memory that others keep on a device", {
      backend: "cuda",
    });
  }
  const { type, channels, parts } = residentOf(input);
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const shares = parts.map(({ device, pixels, id }) => ({
    device,
    source: { resident: id, first: 0, pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes },
  }));
  return { shares, shape: { type, interleaved: channels } };
}

/** @throws ERR_INPUT for another engine's. */
export function residentOf({ resident }: Extract<Input, { readonly kind: "resident" }>): CudaResident {
  if (resident instanceof CudaResident) return resident;
  throw new PolybinError("ERR_INPUT", "expected a resident that this engine uploaded", { backend: "cuda" });
}

/**
 * The same of host memory, which the addon reads while JavaScript goes on: what can shrink meanwhile is copied first.
 * @throws ERR_INPUT where the memory is gone, before or while it is read.
 */
export async function withSamples<T>(
  samples: Samples,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  const { shares, shape, read } = sharesOfSamples(samples, devices);
  const result = await use(shares, shape);
  if (samples.pixels > 0 && read.byteLength === 0) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected memory behind the samples but it was transferred meanwhile",
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

/** Without waiting: else a named pipe without a writer would hold a thread that nothing can wake. It is refused once open. */
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
