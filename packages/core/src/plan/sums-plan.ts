import { type DeviceLimits, divideCeiling } from "../base/index.ts";
import { SEGMENT_ALIGN, SEGMENT_FILL, SEGMENT_ROUNDS } from "./limits.ts";
import type { ParameterValues } from "./parameters.ts";
import type { WeightedAlgorithm, WeightedLaunchRule } from "./weighted-algorithm.ts";
import type { SumsPlan, WeightedRequest } from "./weighted-launch.ts";

/**
 * Returns the plan of a method on a device, or a sentence that states why there is none.
 * @param parameters the method's own, checked
 */
export function weightedPlanBy(
  algorithm: WeightedAlgorithm,
  parameters: ParameterValues,
  request: WeightedRequest,
  limits: DeviceLimits,
): SumsPlan | string {
  const { type, bins, features, documents, precision, counts, squares } = request;
  const launch = algorithm.launch(
    { parameters, type, bins, features, documents, precision, counts, squares },
    limits,
  );
  if (typeof launch === "string") return launch;
  const segments =
    launch.segmentDocuments === undefined
      ? segmentsThatFill(launch, request, limits)
      : Math.max(1, divideCeiling(documents, launch.segmentDocuments));
  return Object.freeze({
    kind: "sums",
    algorithm: algorithm.slug,
    type,
    bins,
    features,
    documents,
    precision,
    counts,
    squares,
    segments,
    segmentDocuments: divideCeiling(divideCeiling(documents, segments), SEGMENT_ALIGN) * SEGMENT_ALIGN,
    passes: divideCeiling(bins, launch.binsPerPass),
    parameters,
    subHistogramBytes: 0,
    ...launch,
  });
}

/**
 * Splits the documents into segments if the features' blocks do not fill the device. The sums of the segments are
 * added (Xu et al., 4.2.2). It uses the smallest number of segments that leaves few places empty in the last round of
 * blocks. No segment has fewer documents than threads or bins.
 */
function segmentsThatFill(
  { threads, sharedBytes, featuresPerBlock }: WeightedLaunchRule,
  { bins, features, documents }: WeightedRequest,
  { kind, unit, units }: DeviceLimits,
): number {
  if (kind === "cpu" && threads === 1) return 1;
  const perUnit =
    kind !== "gpu" || unit === undefined
      ? 1
      : Math.min(
          unit.blocks,
          Math.floor(unit.threads / threads),
          Math.floor(unit.sharedBytes / (sharedBytes + unit.reservedBytes)),
        );
  const places = units * Math.max(1, perUnit);
  const blocks = divideCeiling(features, featuresPerBlock);
  const most = Math.min(
    SEGMENT_ROUNDS * divideCeiling(places, blocks),
    divideCeiling(documents, Math.max(threads, bins, SEGMENT_ALIGN)),
  );
  const filled = (segments: number) =>
    (blocks * segments) / (divideCeiling(blocks * segments, places) * places);
  let best = 1;
  for (let segments = 2; segments <= most && filled(best) < SEGMENT_FILL; segments++) {
    if (filled(segments) > filled(best)) best = segments;
  }
  return best;
}
