import { printable } from "../../base/index.ts";
import type { View } from "../../options/index.ts";
import type { Result } from "../result.ts";
import { axisJson, countsJson, percentilesJson, timingsJson, workJson } from "./json-parts.ts";

/** The result as `--json` prints it: one object on one line. */
export function toJson(
  { input, channels, work, masked, merged, timings }: Result,
  { percentiles }: View,
): string {
  const { axis, edges } = channels[0]!.histogram;
  const json = JSON.stringify({
    input,
    ...workJson(work, input.samples),
    axis: axisJson(axis, edges),
    channels: channels.map(({ name, group, histogram, stats }) => ({
      name,
      ...(group !== undefined && { group }),
      ...countsJson(histogram),
      ...percentilesJson(histogram, percentiles),
      ...(stats !== undefined && { stats }),
    })),
    ...(masked !== null && { masked }),
    ...(merged !== undefined && { merged }),
    timings: timingsJson(timings),
  });
  return `${printable(json)}\n`;
}
