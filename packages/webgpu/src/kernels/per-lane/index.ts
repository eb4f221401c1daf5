import type { ChannelsPlan } from "@polybin/core";
import { algorithms, limits as core, type LaneTables } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { CountKernel, CountShape } from "../lib/kernel.ts";
import { VECTORS } from "../lib/vectors.ts";

const OWN = {
  /** Rows of a channel. */
  rows: "u32",
} as const;

const NO_CHANNEL = core.U32_MAX;

/** Returns the layout of a block's memory. */
function laneOf({ own }: ChannelsPlan): LaneTables {
  return own as unknown as LaneTables;
}

/** Whether a block counts one channel only. */
function isSplit({ plan, channels }: CountShape): boolean {
  return laneOf(plan).channelsPerBlock < channels.length;
}

/** Returns the lookup's text if a block has copies of the lookup, otherwise null. */
function sharedLookup({ plan, lowering }: CountShape): string | null {
  return laneOf(plan).lookupReplicas > 0 ? lowering.lookupParts.shared : null;
}

function partsOf(shape: CountShape): readonly string[] {
  const { lowering } = shape;
  return [
    ...lowering.parts,
    sharedLookup(shape) ?? lowering.lookupParts.global,
    VECTORS[lowering.sampleBytes]!,
    // Compilers for the CPU would take long for sixteen copies of the search for a row.
    shape.limits.generic ? SHADERS["per-lane/batch-rolled"] : SHADERS["per-lane/batch-unrolled"],
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
    ROWS_PER_CHANNEL: lane.rowsPerBlock,
    ...tableOf(shape),
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
    ...(sharedLookup(shape) !== null && lowering.sharedConstants),
  };
}

/**
 * With fewer replicas than half the banks, rows that share a line of banks are permuted. This needs room for whole
 * lines, and rows that are quick to find, so that there is time for it.
 */
function tableOf({ plan, lowering, limits }: CountShape): Readonly<Record<string, number>> {
  const { rowsPerBlock, channelsPerBlock } = laneOf(plan);
  const sharers = limits.banks / plan.replicas;
  const rows = core.divideCeiling(rowsPerBlock, sharers) * sharers;
  const more = (rows - rowsPerBlock) * channelsPerBlock * plan.replicas * core.WORD_BYTES;
  const isSpread = sharers > 2 && !lowering.busy && plan.sharedBytes + more <= limits.sharedBytes;
  const TABLE_ROWS = isSpread ? rows : rowsPerBlock;
  return {
    TABLE_ROWS,
    ROWS: TABLE_ROWS * channelsPerBlock,
    SHARERS: isSpread ? sharers : 1,
    LINE_BITS: Math.log2(sharers),
  };
}

/** Lengths of inner arrays. */
function constsOf(shape: CountShape): Readonly<Record<string, number>> {
  const { replicas: REPLICAS } = shape.plan;
  const { lookupReplicas: LOOKUP_REPLICAS } = laneOf(shape.plan);
  if (sharedLookup(shape) === null) return { REPLICAS };
  return { REPLICAS, LOOKUP_REPLICAS, START_COPIES: Math.max(1, Math.floor(LOOKUP_REPLICAS / 2)) };
}

export const kernel: CountKernel<typeof OWN> = {
  kind: "count",
  algorithm: algorithms["per-lane"],
  reads: "samples",
  own: OWN,
  params: (plan) => ({ rows: laneOf(plan).rows }),
  stages: (shape) => [
    {
      label: "per-lane",
      parts: partsOf(shape),
      entry: "count",
      consts: constsOf(shape),
      constants: constantsOf(shape),
      grid: [shape.plan.blocks, shape.plan.passes, isSplit(shape) ? shape.channels.length : 1],
    },
  ],
};
