import type { ChannelsPlan } from "@polybin/core";
import { algorithms, limits as core, type LaneTables } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import type { CountKernel, CountShape, Stage } from "../lib/kernel.ts";
import { lookupConsts } from "../lib/lookup-consts.ts";
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

function stageOf(shape: CountShape): Stage {
  const { plan, channels, interleaved, lowering, flow, limits } = shape;
  const lane = laneOf(plan);
  const shared = lane.lookupReplicas > 0 ? lowering.lookupParts.shared : null;
  // A block counts one channel only.
  const isSplit = lane.channelsPerBlock < channels.length;
  const position = (i: number) => (channels.includes(i) ? channels.indexOf(i) : NO_CHANNEL);
  return {
    label: "per-lane",
    parts: [
      ...lowering.parts,
      shared ?? lowering.lookupParts.global,
      VECTORS[lowering.sampleBytes]!,
      // Compilers for the CPU would take long for sixteen copies of the search for a row.
      limits.generic ? SHADERS["per-lane/batch-rolled"] : SHADERS["per-lane/batch-unrolled"],
      SHADERS["per-lane/kernel"],
    ],
    entry: "count",
    // Lengths of inner arrays.
    consts: { REPLICAS: plan.replicas, ...lookupConsts(shared === null ? 0 : lane.lookupReplicas) },
    constants: {
      ...lowering.constants,
      THREADS: plan.threads,
      ROWS_PER_CHANNEL: lane.rowsPerBlock,
      ...tableOf(shape),
      WINDOWED: Number(plan.passes > 1),
      RANKED: Number(lowering.ranked),
      FIRST_ROW: Number(lowering.ranked && !flow),
      INTERLEAVED: interleaved,
      CHANNELS: channels.length,
      SPLIT: Number(isSplit),
      IN_FLIGHT: lane.inFlight,
      ...{ CHANNEL_0: position(0), CHANNEL_1: position(1), CHANNEL_2: position(2), CHANNEL_3: position(3) },
      ...(shared !== null && lowering.sharedConstants),
    },
    grid: [plan.blocks, plan.passes, isSplit ? channels.length : 1],
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

export const kernel: CountKernel<typeof OWN> = {
  kind: "count",
  algorithm: algorithms["per-lane"],
  reads: "samples",
  own: OWN,
  params: (plan) => ({ rows: laneOf(plan).rows }),
  stages: (shape) => [stageOf(shape)],
};
