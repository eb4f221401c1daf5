import { percentileOf } from "../percentiles.ts";
import type { Result } from "../result.ts";
import type { View } from "../view.ts";
import { printable } from "./words.ts";

/** The result as `--json` prints it: one object on one line. */
export function toJson(
  { input, channels, work, masked, merged, timings }: Result,
  { percentiles }: View,
): string {
  const { backend, device, algorithm, plan } = work;
  const { axis, edges } = channels[0]!.histogram;
  const json = JSON.stringify({
    input,
    backend,
    device,
    algorithm,
    // The plan of a stream was made before its length was known.
    plan: plan && { ...plan, samples: input.samples },
    axis: { type: axis.type, bins: axis.bins, edges: [...edges] },
    channels: channels.map(({ name, group, histogram, stats }) => ({
      name,
      ...(group !== undefined && { group }),
      counts: [...histogram.counts],
      underflow: histogram.underflow,
      overflow: histogram.overflow,
      nan: histogram.nan,
      ...(percentiles.length > 0 && {
        percentiles: percentiles.map((percent) => percentileOf(histogram, percent)),
      }),
      ...(stats !== undefined && { stats }),
    })),
    ...(masked !== null && { masked }),
    ...(merged !== undefined && { merged }),
    timings: {
      readMs: timings.readMs,
      uploadMs: timings.uploadMs,
      kernelMs: timings.kernelMs,
      totalMs: timings.totalMs,
    },
  });
  return `${printable(json)}\n`;
}
