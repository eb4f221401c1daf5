import type { Plan } from "@polybin/core";
import { algorithms, limits as core, type LaneTables } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { CountKernel, CountShape } from "../lib/kernel.ts";

const OWN = {
  /** Rows of a channel, and of a block. */
  rows: "u32",
  rowsPerBlock: "u32",
} as const;

const NO_CHANNEL = core.U32_MAX;

/** What lies in a block's memory. */
function laneOf({ own }: Plan): LaneTables {
  return own as unknown as LaneTables;
}

/** Does a block count one channel? */
function isSplit({ plan, channels }: CountShape): boolean {
  return laneOf(plan).channelsPerBlock < channels.length;
}

/** The lookup's text where a block has copies of it; else null. */
function sharedLookup({ plan, lowering }: CountShape): string | null {
  return laneOf(plan).lookupReplicas > 0 ? lowering.lookupParts.shared : null;
}

function partsOf(shape: CountShape): readonly string[] {
  const { lowering } = shape;
  return [
    ...lowering.parts,
    sharedLookup(shape) ?? lowering.lookupParts.global,
    // A sample's way to its row is written four times where it is short.
    lowering.short ? SHADERS["per-lane/batch-unrolled"] : SHADERS["per-lane/batch-rolled"],
    SHADERS["per-lane/kernel"],
  ];
}

function constantsOf(shape: CountShape): Readonly<Record<string, number>> {
  const { plan, channels, interleaved, lowering, flow } = shape;
  const lane = laneOf(plan);
  const position = (i: number) => (channels.includes(i) ? channels.indexOf(i) : NO_CHANNEL);
  return {
    ...lowering.constants,
    THREADS: plan.threads,
    ROWS: lane.rowsPerBlock * lane.channelsPerBlock,
    WINDOWED: Number(plan.passes > 1),
    RANKED: Number(lowering.ranked),
    FIRST_ROW: Number(lowering.ranked && !flow),
    INTERLEAVED: interleaved,
    CHANNELS: channels.length,
    SPLIT: Number(isSplit(shape)),
    IN_FLIGHT: lane.inFlight,
    CHANNEL_0: position(0),
    CHANNEL_1: position(1),
    CHANNEL_2: position(2),
    CHANNEL_3: position(3),
    ...(sharedLookup(shape) !== null && {
      LOOKUP_WORDS: (plan.sharedBytes - lane.counterBytes) / core.WORD_BYTES,
      LOOKUP_REPLICAS: lane.lookupReplicas,
      START_COPIES: Math.max(1, Math.floor(lane.lookupReplicas / 2)),
    }),
  };
}

export const kernel: CountKernel<typeof OWN> = {
  kind: "count",
  algorithm: algorithms["per-lane"],
  reads: "samples",
  own: OWN,
  params: (plan) => {
    const { rows, rowsPerBlock } = laneOf(plan);
    return { rows, rowsPerBlock };
  },
  stages: (shape) => [
    {
      label: "per-lane",
      parts: partsOf(shape),
      entry: "count",
      consts: { REPLICAS: shape.plan.replicas },
      constants: constantsOf(shape),
      grid: [shape.plan.blocks, shape.plan.passes, isSplit(shape) ? shape.channels.length : 1],
    },
  ],
};
