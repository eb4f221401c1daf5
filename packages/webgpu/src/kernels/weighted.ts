import { limits, type WeightedMethod, type WeightedPlan } from "@polybin/core/backend";
import type { WebgpuLimits } from "../capabilities.ts";
import type { Kernel } from "../pipelines.ts";
import type { ShaderName } from "../shaders.ts";
import { writtenRound } from "./lib/round.ts";

/** What a launch asks of its kernel beside the plan. */
export interface SumsNeeds {
  /** Are the documents those of a list? */
  readonly listed: boolean;
  /** Is a value of some feature passed over? */
  readonly skips: boolean;
}

/** What a kernel must know of the device. */
type Room = Pick<WebgpuLimits, "sharedBytes" | "generic">;

/** How a method is compiled: its texts behind those that all have, and its plan's numbers. */
interface WeightedKernel {
  readonly parts: readonly ShaderName[];
  /** Documents that a thread should read before it adds the first. */
  unroll(plan: WeightedPlan): number;
  /** Constants that cannot be overrides, as they are the length of an inner array. */
  head?(plan: WeightedPlan): Readonly<Record<string, number>>;
  constants(plan: WeightedPlan, of: Room): Readonly<Record<string, number>>;
}

export const WEIGHTED_KERNELS: Readonly<Partial<Record<WeightedMethod, WeightedKernel>>> = {
  "weighted-fixed-point": {
    parts: ["weighted-fixed-point"],
    unroll: ({ squares }) => (limits.WEIGHTED_UNIT * limits.WEIGHTED_IN_FLIGHT) / (squares ? 2 : 1),
    head: (plan) => ({ PLANES: planesOf(plan), REPLICAS: plan.replicas }),
    constants: (plan, of) => {
      const { threads, replicas, sumBits, featuresPerBlock, binsPerPass } = plan;
      const planes = planesOf(plan);
      const rows = featuresPerBlock * binsPerPass;
      const isWide = sumBits === 64;
      const sharers = isWide ? 1 : sharersOf(rows, plan, of);
      return {
        ROWS: roomier(rows, planes * replicas * limits.WORD_BYTES, of),
        PACKED: Number(sumBits === 50),
        COUNT_BITS: limits.COUNT_BITS,
        COUNT_SHIFT: limits.COUNT_SHIFT,
        WIDE: Number(isWide),
        // A cell takes every bank once.
        TURNED: Number(!isWide && planes === 2 && planes * replicas === limits.WARP_THREADS),
        SHARERS: sharers,
        KEEPS: Number(!of.generic && !isWide && rows * sharers <= threads),
      };
    },
  },
  "weighted-collision-free": {
    parts: ["weighted-collision-free"],
    unroll: ({ unroll = 1 }) => unroll,
    constants: (plan, of) => {
      const { counts, binsPerPass, threads } = plan;
      const pairs = counts ? limits.divideCeiling(binsPerPass, 2) : 0;
      return {
        ROWS: roomier(pairs + binsPerPass * kindsOf(plan), threads * limits.WORD_BYTES, of),
        SHARERS: sharersOf(binsPerPass, plan, of),
      };
    },
  },
  "weighted-collision": {
    parts: ["lib/one-table", "weighted-collision"],
    unroll: ({ unroll = 1 }) => unroll,
    constants: (plan, of) => ({ WORDS: roomier(planesOf(plan) * plan.binsPerPass, limits.WORD_BYTES, of) }),
  },
  "weighted-collision-reduced": {
    parts: ["lib/one-table", "weighted-collision-reduced"],
    unroll: () => 1,
    constants: (plan, { sharedBytes, ...of }) => {
      const { threads, buffer = 1 } = plan;
      // A unit has its value in any case.
      const words = buffer * threads * (1 + kindsOf(plan));
      const room = { ...of, sharedBytes: sharedBytes - words * limits.WORD_BYTES };
      return {
        WORDS: roomier(planesOf(plan) * plan.binsPerPass, limits.WORD_BYTES, room),
        UNITS: buffer,
        VALUE_SHIFT: limits.BUFFER_VALUE_SHIFT,
        BUFFER_WORDS: words,
      };
    },
  },
};

/** Sums of a cell: of weights, and of squares. */
function kindsOf({ squares }: WeightedPlan): number {
  return squares ? 2 : 1;
}

/** Words of a cell; where a count shares a word with a sum, two. */
function planesOf(plan: WeightedPlan): number {
  const { counts, sumBits } = plan;
  if (sumBits === 50) return 2;
  return Number(counts) + (sumBits === 64 ? 2 : 1) * kindsOf(plan);
}

/**
 * Rows or words that a kernel declares: up to an eighth more than it has, so that features of nearly as many bins need
 * no other pipeline, but no more than there is memory for.
 */
function roomier(rows: number, rowBytes: number, { sharedBytes, generic }: Room): number {
  const most = Math.floor(sharedBytes / rowBytes);
  if (generic) return most;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(rows / limits.WEBGPU_TABLE_STEPS)));
  return Math.min(limits.divideCeiling(rows, step) * step, most);
}

/** Threads that share a row when its replicas are added up: a power of two, as many as there are threads for, or one. */
function sharersOf(rows: number, { threads, replicas }: WeightedPlan, { generic }: Room): number {
  let sharers = 1;
  while (!generic && replicas % (2 * sharers) === 0 && 2 * sharers * rows <= threads) sharers *= 2;
  return sharers;
}

const BITS = { u4: 4, u8: 8, u16: 16 } as const;

/** Documents of a unit, which a thread loads at once, and bytes of their values (kernels/lib/values-*.wgsl). */
export const UNITS = {
  u4: { documents: 8, bytes: 4 },
  u8: { documents: 4, bytes: 4 },
  u16: { documents: 4, bytes: 8 },
} as const;

/** Units of a round, those that a thread has on their way. */
const ROUNDS = [8, 4, 2, 1] as const;

/** Units of a thread in a round, no more than it may add between two flushes; null where one is too many. */
export function roundUnits(plan: WeightedPlan, { generic }: Pick<WebgpuLimits, "generic">): number | null {
  const { flushDocuments, threads, type, algorithm } = plan;
  const { documents } = UNITS[type];
  const most = flushDocuments === null ? ROUNDS[0] : Math.floor(flushDocuments / (threads * documents));
  if (most < 1) return null;
  if (generic) return 1;
  const wanted = limits.divideCeiling(WEIGHTED_KERNELS[algorithm]!.unroll(plan), documents);
  return ROUNDS.find((units) => units <= Math.min(most, wanted))!;
}

/** The kernel of a plan. */
export function weightedKernel(plan: WeightedPlan, { listed, skips }: SumsNeeds, of: Room): Kernel {
  const { parts, head, constants } = WEIGHTED_KERNELS[plan.algorithm]!;
  const { threads: THREADS, featuresPerBlock: FEATURES, type, flushDocuments } = plan;
  const { squares } = plan;
  const fours = UNITS[type].documents / 4;
  const round = { features: FEATURES, units: roundUnits(plan, of)!, fours, squares, listed };
  return {
    head: [
      ...Object.entries({ THREADS, FEATURES, ...head?.(plan) }).map(
        ([name, value]) => `const ${name} = ${value}u;`,
      ),
      ...(of.generic ? [] : [writtenRound(round)]),
    ].join("\n"),
    parts: [
      "lib/sums",
      `lib/values-${BITS[type]}`,
      "lib/segment",
      ...(of.generic ? (["lib/round-rolled"] as const) : []),
      ...parts,
    ],
    entry: "sum",
    bindings: "sums",
    constants: {
      COUNTS: Number(plan.counts),
      SQUARES: Number(plan.squares),
      FLOATS: Number(plan.precision === "fast"),
      LISTED: Number(!of.generic && listed),
      GENERIC: Number(of.generic),
      // What follows may be on in any case.
      WINDOWED: Number(of.generic || plan.passes > 1),
      SKIPS: Number(of.generic || skips),
      FLUSHES: Number(of.generic || (flushDocuments !== null && flushDocuments < plan.segmentDocuments)),
      ...constants(plan, of),
    },
  };
}
