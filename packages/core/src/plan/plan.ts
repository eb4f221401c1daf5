import { BYTE_VALUES, type DeviceLimits, divideCeiling, U32_MAX } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import type { Lowering } from "../lowering/index.ts";
import type { Algorithm } from "./algorithm.ts";
import type { Launch } from "./launch.ts";
import { describeParameters, type ParameterValues } from "./parameters.ts";
import { type PlanColumn, type PlanRequest, type SegmentShape, withoutKernel } from "./request.ts";

/**
 * All that a kernel needs to know, worked out before it runs: frozen, comparable, printable.
 * A kernel that is handed a plan chooses no number and checks none again.
 */
export interface Plan extends Launch {
  readonly algorithm: string;
  readonly type: SampleType;
  readonly lowering: Lowering["kind"];
  /**
   * True: the kernel counts the 256 values of 8-bit samples as they are, and the merge sorts them into
   * the bins. No axis then costs a sample anything.
   */
  readonly raw: boolean;
  /** Bins of the axis. */
  readonly bins: number;
  /** Cells a table has: 256 if raw, else the bins. */
  readonly cells: number;
  /** Passes over the samples, each counting the next `cellsPerPass` cells. */
  readonly passes: number;
  readonly samples: number;
  readonly channels: number;
  /** Samples of one launch, so that no 32-bit partial can overflow. */
  readonly chunkSamples: number;
  /** Segments that are counted each into a table of its own; absent: all samples are one. */
  readonly segments?: SegmentShape;
}

/**
 * The plan of an algorithm on a device, or the sentence that says why there is none.
 * @param parameters the algorithm's own, checked
 */
export function planBy(
  algorithm: Algorithm,
  parameters: ParameterValues,
  request: PlanRequest,
  limits: DeviceLimits,
): Plan | string {
  const missing = withoutKernel(request);
  if (missing !== null) return missing;
  const { segments } = request;
  if (segments && request.channels > 1) {
    return `segments are counted of one channel at a time, and ${request.channels} were asked for`;
  }
  if (segments && algorithm.segments !== true) {
    return `${algorithm.slug} counts all samples together and segments were asked for: leave the algorithm out`;
  }
  const [{ type, lowering, lookup }] = request.columns as readonly [PlanColumn];
  const { bins } = lowering;
  if (algorithm.maxBins !== null && bins > algorithm.maxBins) {
    return `${algorithm.slug} counts at most ${algorithm.maxBins} bins and ${bins} were asked for`;
  }
  const raw = SAMPLE_TRAITS[type].bytes === 1 && fitsRaw(algorithm);
  const cells = raw ? BYTE_VALUES : bins;
  const chunkSamples = Math.min(limits.chunkSamples, U32_MAX);
  const launch = algorithm.launch(
    {
      parameters,
      cells,
      samples: Math.min(request.samples, chunkSamples),
      sampleBytes: SAMPLE_TRAITS[type].bytes,
      flow: !raw && lowering.flow,
      channels: request.channels,
      lookup: raw ? null : (lookup ?? null),
      ...(segments && { segments }),
    },
    limits,
  );
  if (typeof launch === "string") return launch;
  return Object.freeze({
    algorithm: algorithm.slug,
    type,
    lowering: lowering.kind,
    raw,
    bins,
    cells,
    passes: divideCeiling(cells, launch.cellsPerPass),
    samples: request.samples,
    channels: request.channels,
    chunkSamples,
    ...(segments && { segments: Object.freeze({ count: segments.count, longest: segments.longest }) }),
    parameters,
    ...launch,
  });
}

function fitsRaw(algorithm: Algorithm): boolean {
  return algorithm.maxBins === null || algorithm.maxBins >= BYTE_VALUES;
}

/** A plan in one line, for logs and `--json`'s reader. */
export function describePlan(of: Plan): string {
  const parts = [
    `${of.blocks} x ${of.threads} threads`,
    `${of.replicas} x ${of.cells} counters of ${of.counterBits} bits`,
    `${of.sharedBytes} bytes a block`,
    ...(of.segments === undefined ? [] : [`${of.segments.count} segments of up to ${of.segments.longest}`]),
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
    ...describeParameters(of.parameters),
  ];
  return `${of.algorithm}: ${parts.join(", ")}`;
}
