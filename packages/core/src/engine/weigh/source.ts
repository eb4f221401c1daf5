import { PolybinError } from "../../base/index.ts";
import { type Countable, channelsOf, isByteStream, sourceOf } from "../../input/index.ts";
import type { Weighed } from "../../result/index.ts";
import { axisFor } from "../axis-for.ts";
import type { Host } from "../host.ts";
import type { Jobs } from "../prepare.ts";
import { tableHost } from "../table/host.ts";
import { type WeightedHistogramOptions, weigh, weightsOf } from "./weigh.ts";

export { checkWeightedOptions } from "./weigh.ts";

/** Adds up the weights of samples in memory. @param options checked */
export async function weighSource(
  host: Host,
  jobs: Jobs,
  input: Countable,
  options: WeightedHistogramOptions & { readonly channel?: number },
): Promise<Weighed> {
  const tables = tableHost(host);
  const source = isByteStream(input) ? null : sourceOf(input);
  if (source?.input.kind !== "samples") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      "expected samples in memory with weights: streams, files and samples on a device cannot have weights",
    );
  }
  const { samples } = source.input;
  const channels = channelsOf(source, options.channel === undefined ? "only" : { channel: options.channel });
  const weights = weightsOf(options, samples);
  const axis = await axisFor(host, source, channels, options);
  const lowering = jobs.lowering(axis, source.type);
  const counted = jobs.counted(axis, source.type);
  return weigh(
    { samples, type: source.type, channel: channels[0]!, axis, lowering, counted, weights },
    options,
    tables,
  );
}
