import {
  type Context,
  type Described,
  LoweringNumbers,
  type NativeControl,
  type NativeCounts,
  type NativeJob,
  type NativeShape,
  type NativeSumsJob,
  Plan,
  packed,
  WeightedPlan,
} from "../../src/border/index.ts";
import { countKernel, sumsKernel } from "../../src/kernels/index.ts";

// Jobs whose structs are readable and can be changed before they are packed.

/** Structs by their fields. */
type Readable = Readonly<Record<string, number | boolean | string>>;

export function control(): NativeControl {
  return {
    stop: new Int32Array(new SharedArrayBuffer(4)),
    done: new BigInt64Array(new SharedArrayBuffer(8)),
  };
}

/** The prepared shape, and the arguments of a call. */
export type WholeJob = NativeShape & NativeJob & { readonly control: NativeControl };

/** Prepares and counts. */
export async function counted(context: Context, job: WholeJob): Promise<NativeCounts> {
  return context.count(job, context.prepare(job));
}

export interface ReadableCount extends Omit<WholeJob, "lowering" | "plan" | "own"> {
  readonly lowering: Omit<NativeShape["lowering"], "numbers"> & { readonly numbers: Readable };
  readonly plan: Readable;
  readonly own: Readable;
}

/** The numbers of a lowering that needs none. */
export const NUMBERS = {
  ...{ first: 0, last: 0, scale: 0, steps: 0, cells: 0, line: false, base: 0, shift: 0 },
  ...{ start: 0, origin: 0, inverse: 0 },
};

/** Bytes in 256 bins, as the engine counts them. */
export function readableCount(bytes: Uint8Array): ReadableCount {
  return {
    source: {
      bytes,
      first: 0,
      pixels: bytes.length,
      pixelBytes: 1,
      width: bytes.length,
      rowPitch: bytes.length,
    },
    wanted: { type: 0, interleaved: 1, channels: [0] },
    lowering: { numbers: { ...NUMBERS, kind: "raw", type: "u8", bins: 256, flow: false } },
    plan: {
      cells: 256,
      cellsPerPass: 256,
      passes: 1,
      threads: 1024,
      blocks: 264,
      replicas: 32,
      sharedBytes: 32_768,
      wordsPerThread: 0,
      codeBytes: 1,
      ...{ partials: 0, mergeThreads: 0, mergeBlocks: 0 },
    },
    algorithm: "per-lane",
    own: {
      rows: 256,
      rowsPerBlock: 256,
      channelsPerBlock: 1,
      counterBytes: 32_768,
      lookupReplicas: 0,
      inFlight: 4,
    },
    launchPixels: 2 ** 32 - 1,
    control: control(),
    timed: false,
  };
}

/** Returns the job in the form for the addon. @throws ERR_INTERNAL for values that a struct cannot hold */
export function packedCount({ lowering, plan, own, ...rest }: ReadableCount): WholeJob {
  return {
    ...rest,
    lowering: isObject(lowering)
      ? { ...lowering, numbers: packedOr(LoweringNumbers, lowering.numbers) }
      : lowering,
    plan: packedOr(Plan, plan),
    own: packedOr(countKernel("per-lane").own, own),
  } as WholeJob;
}

export function countJob(bytes: Uint8Array): WholeJob {
  return packedCount(readableCount(bytes));
}

interface ReadableLaunch {
  readonly algorithm: string;
  readonly plan: Readable;
  readonly own: Readable;
  readonly rows: Uint32Array;
  readonly skip: Uint32Array;
}

export interface ReadableSums extends Omit<NativeSumsJob, "launches"> {
  readonly launches: readonly ReadableLaunch[];
}

/** Four weights over the first row of a table of bytes. */
export function readableSums(table: number): ReadableSums {
  return {
    table,
    documents: 4,
    weights: Int32Array.of(1, 2, 3, 4),
    squares: null,
    list: null,
    launches: [
      {
        algorithm: "weighted-collision",
        plan: {
          type: "u8",
          fast: false,
          wide: true,
          counts: true,
          squares: false,
          bins: 3,
          binsPerPass: 3,
          passes: 1,
          threads: 128,
          replicas: 1,
          featuresPerBlock: 1,
          sharedBytes: 36,
          segments: 1,
          segmentDocuments: 32,
          flushDocuments: 0,
          subHistogramBytes: 0,
        },
        own: { words: true, unroll: 4 },
        rows: Uint32Array.of(0),
        skip: Uint32Array.of(2 ** 32 - 1),
      },
    ],
    timed: false,
    control: control(),
  };
}

export function packedSums({ launches, ...rest }: ReadableSums): NativeSumsJob {
  const packedLaunch = ({ plan, own, ...of }: ReadableLaunch) => ({
    ...of,
    plan: packedOr(WeightedPlan, plan),
    own: packedOr(sumsKernel("weighted-collision").own, own),
  });
  return {
    ...rest,
    launches: Array.isArray(launches)
      ? launches.map((launch: unknown) =>
          isObject(launch) ? packedLaunch(launch as ReadableLaunch) : launch,
        )
      : launches,
  } as NativeSumsJob;
}

export function sumsJob(table: number): NativeSumsJob {
  return packedSums(readableSums(table));
}

/** Values that are not structs are passed unchanged. */
function packedOr(of: Described, values: Readable): unknown {
  return isObject(values) ? packed(of, values) : values;
}

function isObject(of: unknown): of is object {
  return typeof of === "object" && of !== null && !ArrayBuffer.isView(of);
}
