import type { Input } from "@polybin/core/backend";
import { FEW_BYTES, LAUNCHES_AT_ONCE } from "../base/index.ts";
import type { NativeReady } from "../border/index.ts";
import { pixelBytesOf, residentOf } from "../memory/index.ts";
import type { PreparedChannels } from "./prepare-channels.ts";

/** The work that one device counts at once. */
export interface Ready {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly of: NativeReady;
  readonly pixels: number;
}

/**
 * Returns the parts of an input that can be counted without another thread: a resident's part on each device, or a few
 * dense samples on the first device. Returns null for longer inputs, for files, and for inputs of more than
 * LAUNCHES_AT_ONCE launches, which a caller may want to stop.
 * @throws ERR_INPUT for a resident that was freed or that another engine made.
 */
export function readyOf(input: Input, { launchesOf }: PreparedChannels): readonly Ready[] | null {
  if (input.kind === "resident") {
    const { parts } = residentOf(input);
    if (parts.some(({ pixels }) => launchesOf(pixels) > LAUNCHES_AT_ONCE)) return null;
    return parts.map(({ device, id, pixels }) => ({ device, of: id, pixels }));
  }
  if (input.kind !== "samples") return null;
  const { bytes, dense, pixels } = input.samples;
  return dense && pixels * pixelBytesOf(input.samples) <= FEW_BYTES
    ? [{ device: 0, of: bytes, pixels }]
    : null;
}
