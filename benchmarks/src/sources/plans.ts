import { type ChannelsPlan, integer, regular, type SampleType, variable } from "@polybin/core";
import {
  algorithms,
  type DeviceLimits,
  limits,
  lookupSizeOf,
  lower,
  type OrderedAxis,
  planOrReason,
  type SumsPlan,
  type ValueType,
  weightedAlgorithms,
  weightedPlanOrReason,
} from "@polybin/core/backend";

/** The resources of a multiprocessor of compute capability 9.0, as an H100 and an H200 have it. */
export const HOPPER_UNIT = { threads: 2048, blocks: 32, sharedBytes: 233_472, reservedBytes: 1024 } as const;

/** Devices of each backend's kinds. Plans for them show the rules as numbers. */
const DEVICES: Readonly<Record<string, DeviceLimits>> = {
  cpu: {
    kind: "cpu",
    units: 2,
    warp: 32,
    banks: 32,
    sharedBytes: 49_152,
    blockThreads: 1024,
    chunkSamples: 2 ** 22,
  },
  piscina: {
    kind: "workers",
    units: 8,
    warp: 4,
    banks: 16,
    sharedBytes: 2 ** 22,
    blockThreads: 1,
    chunkSamples: 2 ** 32 - 1,
  },
  native: {
    kind: "workers",
    units: 8,
    warp: 4,
    banks: 16,
    sharedBytes: 2 ** 22,
    blockThreads: 1,
    chunkSamples: 2 ** 32 - 1,
  },
  webgpu: {
    kind: "gpu",
    units: 132,
    warp: 32,
    banks: 32,
    sharedBytes: 49_152,
    blockThreads: 1024,
    unit: HOPPER_UNIT,
    chunkSamples: 2 ** 31,
    doubles: false,
  },
  cuda: {
    kind: "gpu",
    units: 132,
    warp: 32,
    banks: 32,
    sharedBytes: 232_448,
    blockThreads: 1024,
    unit: HOPPER_UNIT,
    chunkSamples: 2 ** 32 - 1,
  },
};

const TYPES: readonly { readonly type: SampleType; readonly axis: OrderedAxis }[] = [
  { type: "u8", axis: integer(0, 64) },
  { type: "u8", axis: integer(0, 256) },
  { type: "u8", axis: regular(10, 0, 200) },
  { type: "u16", axis: integer(0, 1024) },
  { type: "u16", axis: integer(0, 65_536) },
  { type: "u32", axis: regular(256, 0, 2 ** 32) },
  { type: "f32", axis: regular(256, 0, 1) },
  { type: "f32", axis: variable([0, 0.1, 0.4, 1]) },
  { type: "f64", axis: regular(4096, 0, 1) },
];
const SAMPLES = [2 ** 13, 2 ** 20, 2 ** 26, 2 ** 32];
const CHANNELS = [1, 3];
const DOCUMENTS = [2 ** 13, 2 ** 20];
const FEATURES = [16, 1024];
const BINS = [2, 16, 64, 128, 256, 1024];

/** Returns core's plans for an algorithm other than the hybrid on a backend's device: numbers, or sentences without a plan. */
export function plansOf(backend: string, algorithm: string): readonly (object | string)[] | null {
  const device = DEVICES[backend];
  if (device === undefined) return null;
  if (Object.hasOwn(algorithms, algorithm)) return counting(algorithm, device).map(numbersOf);
  return Object.hasOwn(weightedAlgorithms, algorithm) ? weighted(algorithm, device).map(numbersOf) : null;
}

/** Leaves out the name of a plan's type, which no kernel reads. */
function numbersOf(plan: ChannelsPlan | SumsPlan | string): object | string {
  return typeof plan === "string" ? plan : { ...plan, kind: undefined };
}

function counting(algorithm: string, device: DeviceLimits): (ChannelsPlan | string)[] {
  return TYPES.flatMap(({ type, axis }) => {
    const lowering = lower(axis, type);
    const lookup = lookupSizeOf(lowering);
    return SAMPLES.flatMap((samples) =>
      CHANNELS.map((channels) =>
        planOrReason({ algorithm, column: { type, lowering, lookup }, samples, channels }, device),
      ),
    );
  });
}

function typeFor(bins: number): ValueType {
  return bins <= limits.NIBBLE_VALUES ? "u4" : bins <= limits.BYTE_VALUES ? "u8" : "u16";
}

function weighted(algorithm: string, device: DeviceLimits): (SumsPlan | string)[] {
  return BINS.flatMap((bins) =>
    FEATURES.flatMap((features) =>
      DOCUMENTS.flatMap((documents) =>
        [true, false].map((counts) => {
          const precision = "reproducible" as const;
          const request = {
            type: typeFor(bins),
            bins,
            features,
            documents,
            precision,
            counts,
            squares: !counts,
          };
          return weightedPlanOrReason(algorithm, request, device);
        }),
      ),
    ),
  );
}
