import { type Input, SAMPLE_TRAITS } from "@polybin/core/backend";
import { FEW_BYTES, LAUNCHES_AT_ONCE } from "../base/index.ts";
import type { NativeReady } from "../border/index.ts";
import { residentOf } from "../memory/index.ts";
import type { PreparedCount } from "./prepare.ts";

/** What one device counts at once. */
export interface Ready {
  /** Which of the devices, counted from 0. */
  readonly device: number;
  readonly of: NativeReady;
  readonly pixels: number;
}

/**
 * An input that can be counted without another thread, in a part for each device: a resident, or few dense samples, which
 * the first device has. Null: it is longer, or a file, or takes so many launches that somebody may want to stop it.
 * @throws ERR_INPUT for a resident that was freed, or is another engine's.
 */
export function readyOf(input: Input, { launchesOf }: PreparedCount): readonly Ready[] | null {
  if (input.kind === "resident") {
    const { parts } = residentOf(input);
    if (parts.some(({ pixels }) => launchesOf(pixels) > LAUNCHES_AT_ONCE)) return null;
    return parts.map(({ device, id, pixels }) => ({ device, of: id, pixels }));
  }
  if (input.kind !== "samples") return null;
  const { type, channels, bytes, dense, pixels } = input.samples;
  const length = pixels * channels * SAMPLE_TRAITS[type].bytes;
  return dense && length <= FEW_BYTES ? [{ device: 0, of: bytes, pixels }] : null;
}
