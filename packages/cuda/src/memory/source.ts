import type { SampleType } from "@polybin/core";
import {
  bytesFrom,
  type Input,
  SAMPLE_TRAITS,
  type Samples,
  Semaphore,
  withFile,
} from "@polybin/core/backend";
import { FILES_AT_ONCE } from "../base/index.ts";
import type { NativeSource } from "../border/index.ts";
import { failure } from "../platform/index.ts";
import { CudaResident } from "./resident.ts";
import { split } from "./split.ts";

/** The part of an input that one device reads. */
export interface Share {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly source: NativeSource;
}

/** The properties of pixels that a kernel needs. */
export interface Shape {
  readonly type: SampleType;
  readonly interleaved: number;
}

/** The shares of an input, one per device and in order. */
export interface Shares {
  readonly shares: readonly Share[];
  readonly shape: Shape;
}

type File = Extract<Input, { readonly kind: "file" }>;

/**
 * Divides an input among devices for as long as `use` runs. The addon reads host memory while JavaScript continues.
 * Memory that can shrink in the meantime is copied first.
 * @throws ERR_INPUT if the memory is gone, before or while it is read.
 */
export async function withShares<T>(
  input: Input,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  if (input.kind === "file") return openFiles.hold(() => sharesOfFile(input, devices, use));
  const { shares, shape } = sharesOf(input, devices);
  const result = await use(shares, shape);
  if (shares[0]?.source.bytes?.byteLength === 0) {
    const message = "expected the samples' memory to stay valid but it was transferred during the call";
    throw failure("ERR_INPUT", message);
  }
  return result;
}

/** Returns the shares of samples in memory or on the devices. @throws ERR_INPUT if they are in neither, or are gone. */
export function sharesOf(input: Exclude<Input, File>, devices: number): Shares {
  if (input.kind === "samples") return sharesOfSamples(input.samples, devices);
  if (input.kind === "external") {
    throw failure(
      "ERR_INPUT",
      "expected samples in host memory or a resident of this engine: cuda cannot count memory that others keep on a device",
    );
  }
  const { type, channels, parts } = residentOf(input);
  const pixelBytes = pixelBytesOf({ type, channels });
  const shares = parts.map(({ device, pixels, id }) => ({
    device,
    source: { resident: id, first: 0, pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes },
  }));
  return { shares, shape: { type, interleaved: channels } };
}

/** @throws ERR_INPUT if another engine made it. */
export function residentOf({ resident }: Extract<Input, { readonly kind: "resident" }>): CudaResident {
  if (resident instanceof CudaResident) return resident;
  throw failure("ERR_INPUT", "expected a resident that this engine uploaded");
}

export function pixelBytesOf({ type, channels }: Pick<Samples, "type" | "channels">): number {
  return SAMPLE_TRAITS[type].bytes * channels;
}

function sharesOfSamples(of: Samples, devices: number): Shares {
  const { type, channels, width, height, rowPitch, pixels } = of;
  const pixelBytes = pixelBytesOf(of);
  const there = bytesFrom(of.bytes, 0, pixels === 0 ? 0 : (height - 1) * rowPitch + width * pixelBytes);
  const shrinks = there.buffer instanceof ArrayBuffer && there.buffer.resizable;
  const bytes = shrinks ? there.slice() : there;
  return {
    shares: divided({ bytes, pixels, width, rowPitch, pixelBytes }, devices),
    shape: { type, interleaved: channels },
  };
}

/** Divides the pixels of a source among devices. */
function divided(source: Omit<NativeSource, "first">, devices: number): Share[] {
  return split(source.pixels, devices).map(({ device, first, pixels }) => ({
    device,
    source: { ...source, first, pixels },
  }));
}

/** Limits the files that a process has open, independent of the number of calls. */
const openFiles = new Semaphore(FILES_AT_ONCE);

async function sharesOfFile<T>(
  input: File,
  devices: number,
  use: (shares: readonly Share[], shape: Shape) => Promise<T>,
): Promise<T> {
  const { type, channels, offset, pixels } = input.file;
  const pixelBytes = pixelBytesOf({ type, channels });
  const dense = { pixels, pixelBytes, width: pixels, rowPitch: pixels * pixelBytes };
  return withFile(input, ({ fd }) =>
    use(divided({ fd, offset, ...dense }, devices), { type, interleaved: channels }),
  );
}
