import type { Extent, SampleType } from "@polybin/core";
import {
  type DeviceInput,
  type Input,
  joinExtents,
  NO_EXTENT,
  type RunOptions,
  rowBytes,
  SAMPLE_TYPES,
  type Samples,
  samples,
  type TableValues,
  valueOfKey,
} from "@polybin/core/backend";
import {
  CudaResident,
  CudaTable,
  pixelBytesOf,
  sharesOf,
  splitFeatures,
  withShares,
} from "../memory/index.ts";
import { failure } from "../platform/index.ts";
import type { Lanes } from "./lanes.ts";

/** Copies samples to the devices, each a part of the pixels. */
export async function upload(
  lanes: Lanes,
  input: Input,
  shape: Pick<Samples, "type" | "channels" | "pixels">,
  options: RunOptions,
): Promise<CudaResident> {
  const parts = await withShares(input, lanes.count, (shares) =>
    lanes.bring(shares, options, async (context, { device, source }, control) => ({
      device,
      pixels: source.pixels,
      id: await context.upload({ source, control }),
    })),
  );
  return new CudaResident(lanes, parts, shape);
}

/** Copies samples on the devices to the host. @throws ERR_INPUT if another engine has them, ERR_OUT_OF_MEMORY */
export async function download(lanes: Lanes, input: DeviceInput, options: RunOptions): Promise<Samples> {
  const { shares, shape } = sharesOf(input, lanes.count);
  const { type, interleaved: channels } = shape;
  const pixelBytes = pixelBytesOf({ type, channels });
  const data = memoryFor(shares.reduce((sum, { source }) => sum + source.pixels, 0) * pixelBytes, type);
  let at = 0;
  const parts = shares.map((share) => {
    const into = data.subarray(at, at + share.source.pixels * pixelBytes);
    at += into.length;
    return { ...share, into };
  });
  await lanes.each(parts, options, (context, { source, into }, control) =>
    context.download({ source, into, control }),
  );
  return samples({ data, type, channels });
}

function memoryFor(bytes: number, type: SampleType): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw failure(
      "ERR_OUT_OF_MEMORY",
      `this process has no room for ${bytes} bytes of ${type} samples`,
      cause,
    );
  }
}

/** Copies a table to the devices, each the rows of some features with all of their documents. Nothing is merged. */
export async function uploadTable(
  lanes: Lanes,
  { type, features, documents, bytes }: TableValues,
  options: RunOptions,
): Promise<CudaTable> {
  const row = rowBytes(type, documents);
  const parts = await lanes.bring(
    splitFeatures(features, lanes.count),
    options,
    async (context, part, control) => {
      const of = bytes.subarray(part.first * row, (part.first + part.rows) * row);
      return { ...part, id: await context.uploadTable({ bytes: of, rowBytes: row, control }) };
    },
  );
  return new CudaTable(lanes, parts);
}

/** Finds the finite minimum and maximum. */
export function extent(
  lanes: Lanes,
  input: Input,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  return withShares(input, lanes.count, async (shares, { type, interleaved }) => {
    const wanted = { type: SAMPLE_TYPES.indexOf(type), interleaved, channels };
    const all = await lanes.each(shares, options, (context, { source }, control) =>
      context.extent({ source, wanted, control }),
    );
    // A part without a finite sample has a minimum above its maximum, and neither is a key of the type.
    return all
      .filter(({ min, max }) => min <= max)
      .map(({ min, max }) => ({ min: valueOfKey(type, min), max: valueOfKey(type, max) }))
      .reduce(joinExtents, NO_EXTENT);
  });
}
