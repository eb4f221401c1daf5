import { dataRange, type RegularAxis } from "../../axis/index.ts";
import type { RunOptions } from "../../backend/index.ts";
import { loadedOnce } from "../../base/index.ts";
import { type Extent, NO_EXTENT, SAMPLE_TYPES, type Source } from "../../input/index.ts";
import { type OpenBackend, readable } from "../opened/open-backend.ts";
import { isRounded } from "../samples/rounded-resident.ts";
import { isFile } from "./count.ts";

const files = loadedOnce(() => import("./file-pieces.ts"));
const measuring = loadedOnce(() => import("./other-extent.ts"));

/** Returns the finite minimum and maximum of samples of any type. If there is no finite sample, min > max. */
export async function extentIn(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  if (source.pixels === 0) return NO_EXTENT;
  if (isFile(source)) {
    const { isReadHere, extentInFile } = await files();
    if (isReadHere(opened, source)) {
      return extentInFile(source, options, (piece) => extentIn(opened, piece, channels, options));
    }
  }
  // A resident of 64-bit integers holds f64.
  const isHeld = source.input.kind === "resident" && source.input.resident.type === "f64";
  if (isHeld || SAMPLE_TYPES.includes(source.type)) {
    return opened.device.extent(readable(opened, source), channels, options);
  }
  return (await measuring()).otherExtent(opened, source, channels, options);
}

/**
 * Returns the axis of `bins` bins over the range of the data.
 * @throws ERR_UNSUPPORTED for a resident of 64-bit integers that has lost the end of the range.
 */
export async function axisOfData(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
  bins: number,
  options: RunOptions,
): Promise<RegularAxis> {
  const { min, max } = await extentIn(opened, source, channels, options);
  if (min <= max) isRounded(opened, source, { period: null, end: max });
  return dataRange(bins, source.type, min, max);
}
