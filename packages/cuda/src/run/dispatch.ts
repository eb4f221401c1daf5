import type { Extent } from "@polybin/core";
import {
  type ChannelsPart,
  type FeatureSums,
  type Input,
  joinExtents,
  NO_EXTENT,
  type RunOptions,
  SAMPLE_TYPES,
  type SumsPart,
  type SumsWeights,
  valueOfKey,
} from "@polybin/core/backend";
import type { Context, NativeControl } from "../border/index.ts";
import { type ResidentTablePart, type Share, withShares } from "../memory/index.ts";
import type { Lane } from "./lane.ts";
import { type PreparedSums, placeSums } from "./prepare-sums.ts";
import { talk } from "./talk.ts";

/** One lane per device. */
export type Lanes = readonly Lane[];

/** Calls each share's device, all at the same time. */
export function onShares<T>(
  lanes: Lanes,
  shares: readonly Share[],
  options: RunOptions,
  call: (context: Context, share: Share, control: NativeControl) => Promise<T>,
): Promise<T[]> {
  return talk(
    options,
    shares.map(
      (share) => (control) =>
        lanes[share.device]!.run((context) => call(context, share, control), options.signal),
    ),
  );
}

export function dispatchExtent(
  lanes: Lanes,
  input: Input,
  channels: readonly number[],
  options: RunOptions,
): Promise<Extent> {
  return withShares(input, lanes.length, async (shares, { type, interleaved }) => {
    const wanted = { type: SAMPLE_TYPES.indexOf(type), interleaved, channels };
    const all = await onShares(lanes, shares, options, (context, { source }, control) =>
      context.extent({ source, wanted, control }),
    );
    // A part without a finite sample has a minimum above its maximum, and neither is a key of the type.
    return all
      .filter(({ min, max }) => min <= max)
      .map(({ min, max }) => ({ min: valueOfKey(type, min), max: valueOfKey(type, max) }))
      .reduce(joinExtents, NO_EXTENT);
  });
}

/** Adds weights up as prepared. */
export async function dispatchSums(
  lanes: Lanes,
  { parts }: PreparedSums<ResidentTablePart>,
  { weights, squares, documents: list }: SumsWeights,
  timed: boolean,
  options: RunOptions,
): Promise<SumsPart> {
  const all = await talk(
    options,
    parts.map(
      ({ part, launches }) =>
        (control) =>
          lanes[part.device]!.run(
            (context) =>
              context.sums({
                table: part.id,
                documents: weights.length,
                weights,
                squares,
                list,
                launches,
                timed,
                control,
              }),
            options.signal,
          ),
    ),
  );
  const features: FeatureSums[] = [];
  for (const [i, part] of parts.entries()) placeSums(features, part, all[i]!);
  return { features, timings: longest(all) };
}

/** All devices work at the same time, so the longest time counts. */
export function longest(
  all: readonly { readonly uploadMs: number; readonly kernelMs: number }[],
): ChannelsPart["timings"] {
  return {
    readMs: 0,
    uploadMs: Math.max(0, ...all.map(({ uploadMs }) => uploadMs)),
    kernelMs: Math.max(0, ...all.map(({ kernelMs }) => kernelMs)),
  };
}
