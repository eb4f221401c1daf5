import { integer } from "../../axis/index.ts";
import type { RunOptions } from "../../backend/index.ts";
import { HALF_VALUES } from "../../base/index.ts";
import {
  type Extent,
  extentOfRun,
  joinExtents,
  NO_EXTENT,
  runs,
  SAMPLE_TRAITS,
  type Source,
} from "../../input/index.ts";
import { roundedDown } from "../../lowering/index.ts";
import { Jobs } from "../jobs/prepare.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { samplesIn } from "../samples/in-memory.ts";
import { find } from "./count.ts";

/**
 * Returns the finite minimum and maximum of samples of a type that devices do not know. The device counts the bit
 * patterns of a type such as f16. This thread reads 64-bit integers, and rounds their extent outwards.
 * @throws ERR_UNSUPPORTED for 64-bit integers that are not in memory.
 */
export function otherExtent(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  const { valueOfBits } = SAMPLE_TRAITS[source.type];
  if (valueOfBits === undefined) return extentOfIntegers(opened, source, channels);
  return extentOfPatterns({ opened, valueOfBits }, source, channels, options);
}

async function extentOfPatterns(
  { opened, valueOfBits }: { readonly opened: OpenBackend; readonly valueOfBits: (bits: number) => number },
  source: Source,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  const shape = { type: "u16", pixels: source.pixels, interleaved: source.channels, channels } as const;
  const job = new Jobs(opened).of(shape, integer(0, HALF_VALUES), {});
  const { counts } = await find(opened, job, source, options);
  let { min, max } = NO_EXTENT;
  for (let bits = 0; bits < HALF_VALUES; bits++) {
    const value = valueOfBits(bits);
    if (!Number.isFinite(value) || counts.every((of) => of.counts[bits] === 0)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return { min, max };
}

async function extentOfIntegers(
  opened: OpenBackend,
  source: Source,
  channels: readonly number[],
): Promise<Extent> {
  const samples = samplesIn(opened, source, `the range of ${source.type}`);
  const over = (end: number | null): Extent => {
    let extent = NO_EXTENT;
    for (const run of runs(samples, samples.pixels)) {
      const values = roundedDown(run as unknown as BigInt64Array, end);
      extent = joinExtents(extent, extentOfRun(values, samples.channels, channels));
    }
    return extent;
  };
  const { min, max } = over(null);
  // Integers between the maximum and the next f64 become that f64.
  return { min, max: over(max).max };
}
