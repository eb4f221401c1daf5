import { limits, type WeightedMethod, type WeightedPlan } from "@polybin/core";
import type { WebgpuLimits } from "../capabilities.ts";
import type { Kernel } from "../pipelines.ts";
import type { ShaderName } from "../shaders.ts";

/** What a launch asks of its kernel beside the plan. */
export interface SumsNeeds {
  /** Are the documents those of a list? */
  readonly listed: boolean;
  /** Is a value of some feature passed over? */
  readonly skips: boolean;
}

/** How a method is compiled: its text behind those that all have, and its plan's numbers. */
interface WeightedKernel {
  readonly parts: readonly ShaderName[];
  /** Units of documents that a thread should have on their way. */
  inFlight(plan: WeightedPlan): number;
  /** Constants that cannot be overrides, as they are the length of an inner array. */
  head(plan: WeightedPlan): Readonly<Record<string, number>>;
  constants(plan: WeightedPlan, of: Pick<WebgpuLimits, "sharedBytes">): Readonly<Record<string, number>>;
}

export const WEIGHTED_KERNELS: Readonly<Partial<Record<WeightedMethod, WeightedKernel>>> = {
  "weighted-fixed-point": {
    parts: ["weighted-fixed-point"],
    inFlight: ({ squares }) => limits.WEIGHTED_IN_FLIGHT / (squares ? 2 : 1),
    head: (plan) => ({ PLANES: planesOf(plan), REPLICAS: plan.replicas }),
    constants: (plan, of) => {
      const { threads, replicas, sumBits } = plan;
      const planes = planesOf(plan);
      const sharers = sumBits === 64 ? 1 : sharersOf(plan);
      return {
        ROWS: rowsToDeclare(plan, planes * replicas * limits.WORD_BYTES, of),
        WIDE: Number(sumBits === 64),
        // A cell of two planes takes every bank once.
        TURNED: Number(planes === 2 && planes * replicas === limits.WARP_THREADS),
        SHARERS: sharers,
        KEEPS: Number(sumBits === 32 && rowsOf(plan) * sharers <= threads),
      };
    },
  },
};

/** Words of a cell. */
function planesOf({ sumBits, squares }: WeightedPlan): number {
  return 1 + (sumBits / 32) * (squares ? 2 : 1);
}

/** Rows of a block's tables: a bin of a feature each. */
function rowsOf({ featuresPerBlock, binsPerPass }: WeightedPlan): number {
  return featuresPerBlock * binsPerPass;
}

/**
 * Rows that a kernel declares: a few more than it has, so that features of nearly as many bins need no other pipeline,
 * but no more than there is memory for.
 */
function rowsToDeclare(
  plan: WeightedPlan,
  rowBytes: number,
  { sharedBytes }: Pick<WebgpuLimits, "sharedBytes">,
): number {
  const step = limits.WEBGPU_TABLE_ROWS;
  const rounded = limits.divideCeiling(rowsOf(plan), step) * step;
  return Math.min(rounded, Math.floor(sharedBytes / rowBytes));
}

/** Threads that share a row when its replicas are added up: a power of two, as many as there are threads for. */
function sharersOf({ threads, replicas, ...plan }: WeightedPlan): number {
  const rows = rowsOf({ threads, replicas, ...plan });
  let sharers = 1;
  while (2 * sharers <= replicas && 2 * sharers * rows <= threads) sharers *= 2;
  return sharers;
}

const BITS = { u4: 4, u8: 8, u16: 16 } as const;

/** Documents of a unit, which a thread loads at once, and bytes of their values (kernels/lib/values-*.wgsl). */
export const UNITS = {
  u4: { documents: 8, bytes: 4 },
  u8: { documents: 4, bytes: 4 },
  u16: { documents: 4, bytes: 8 },
} as const;

/** The rounds that are written out (kernels/lib/round-*.wgsl). */
const ROUNDS = [8, 4, 2, 1] as const;

/** Units that a thread has on their way: no more than it may add between two flushes; 0 where one is too many. */
export function inFlightOf(plan: WeightedPlan): (typeof ROUNDS)[number] | 0 {
  const { flushDocuments, threads, type, algorithm } = plan;
  const most =
    flushDocuments === null
      ? Number.POSITIVE_INFINITY
      : Math.floor(flushDocuments / (threads * UNITS[type].documents));
  const wanted = Math.min(most, WEIGHTED_KERNELS[algorithm]!.inFlight(plan));
  return ROUNDS.find((units) => units <= wanted) ?? 0;
}

/** The kernel of a plan. */
export function weightedKernel(
  plan: WeightedPlan,
  { listed, skips }: SumsNeeds,
  of: Pick<WebgpuLimits, "sharedBytes">,
): Kernel {
  const { parts, head, constants } = WEIGHTED_KERNELS[plan.algorithm]!;
  const { threads: THREADS, featuresPerBlock: FEATURES, type, flushDocuments } = plan;
  return {
    head: Object.entries({ THREADS, FEATURES, ...head(plan) })
      .map(([name, value]) => `const ${name} = ${value}u;`)
      .join("\n"),
    parts: [
      "lib/sums",
      `lib/values-${BITS[type]}`,
      "lib/segment",
      `lib/round-${inFlightOf(plan) as (typeof ROUNDS)[number]}`,
      ...parts,
    ],
    entry: "sum",
    bindings: "sums",
    constants: {
      SQUARES: Number(plan.squares),
      FLOATS: Number(plan.precision === "fast"),
      WINDOWED: Number(plan.passes > 1),
      SKIPS: Number(skips),
      LISTED: Number(listed),
      FLUSHES: Number(flushDocuments !== null && flushDocuments < plan.segmentDocuments),
      ...constants(plan, of),
    },
  };
}
