import type { Plan } from "@polybin/core";
import { type CountJob, type DeviceLimits, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "./capabilities.ts";
import type { Hardware } from "./hardware.ts";
import { CODES_KERNELS, TRISH } from "./kernels/index.ts";
import { type DeviceLowering, deviceLowering } from "./lowering.ts";
import type { Params } from "./params.ts";
import type { Kernel, TexelType } from "./pipelines.ts";
import type { ShaderName } from "./shaders.ts";

/** Dense samples in a buffer, from the binding's first byte on. */
export interface Chunk {
  readonly data: Data;
  readonly pixels: number;
}

/** Buffers that dispatches share, by what is in them; `none`: nothing is. */
export type Scratch = "none" | "codes" | "histograms" | "dense" | "into";

/** What binding 0 is: a user's or a resident's own, or what a dispatch before wrote. */
export type Data = GPUBufferBinding | Extract<Scratch, "none" | "codes" | "dense">;

/** A view of one level and layer of a texture, and what its texels are read as. */
export interface Texels {
  readonly view: GPUTextureView;
  readonly type: TexelType;
}

/** One dispatch. */
export interface Launch {
  readonly pipeline: GPUComputePipeline;
  readonly params: Params;
  readonly data: Data;
  /** What binding 3 is. */
  readonly scratch: Scratch;
  /** What group 1 is, for kernels that read texels. */
  readonly texels?: Texels;
  readonly grid: readonly [x: number, y?: number, z?: number];
}

/** What a job comes to on a device: which dispatches a chunk takes, and what they need room for. */
export interface Program {
  readonly lowering: DeviceLowering;
  /** Bytes of codes, for chunks of up to so many pixels; 0: none are written. */
  codesBytes(pixels: number): number;
  /** Bytes of blocks' histograms. */
  readonly histogramsBytes: number;
  launches(chunk: Chunk): Launch[];
}

/** Interleaved channels of a job's samples. */
type Shape = Pick<CountJob, "channels" | "plan" | "lowering"> & { readonly interleaved: number };

const PARAMS: ShaderName = "lib/params";

/** Compiles what a job needs. `of`: the limits that its plan was made from. */
export async function programFor(hardware: Hardware, job: Shape, of: WebgpuLimits): Promise<Program> {
  const lowering = deviceLowering(job.lowering, job.plan, of);
  return job.plan.lane === undefined
    ? codesProgram(hardware, job, lowering, of)
    : laneProgram(hardware, job, lowering);
}

/** Cells and three of flow. */
export function countsOf({ cells }: Plan): number {
  return cells + limits.FLOW_ROWS;
}

const NO_CHANNEL = limits.U32_MAX;

async function laneProgram(
  { pipelines }: Hardware,
  { plan, channels, interleaved, lowering: { flow } }: Shape,
  lowering: DeviceLowering,
): Promise<Program> {
  const lane = plan.lane!;
  const { global, shared } = lowering.lookupParts;
  const isShared = lane.lookupReplicas > 0 && shared !== null;
  const isSplit = lane.channelsPerBlock < channels.length;
  const position = (i: number) => (channels.includes(i) ? channels.indexOf(i) : NO_CHANNEL);
  const windows = limits.divideCeiling(lane.rows, lane.rowsPerBlock);
  const pipeline = await pipelines.of({
    head: `const REPLICAS = ${plan.replicas}u;`,
    parts: [
      PARAMS,
      ...lowering.parts,
      isShared ? shared : global,
      lowering.short ? "lib/batch-unrolled" : "lib/batch-rolled",
      "per-lane",
    ],
    entry: "count",
    constants: {
      ...lowering.constants,
      THREADS: plan.threads,
      ROWS: lane.rowsPerBlock * lane.channelsPerBlock,
      WINDOWED: Number(windows > 1),
      RANKED: Number(lowering.ranked),
      FIRST_ROW: Number(lowering.ranked && !flow),
      INTERLEAVED: interleaved,
      CHANNELS: channels.length,
      SPLIT: Number(isSplit),
      IN_FLIGHT: lane.inFlight,
      CHANNEL_0: position(0),
      CHANNEL_1: position(1),
      CHANNEL_2: position(2),
      CHANNEL_3: position(3),
      ...(isShared && {
        LOOKUP_WORDS: (plan.sharedBytes - lane.counterBytes) / limits.WORD_BYTES,
        LOOKUP_REPLICAS: lane.lookupReplicas,
        START_COPIES: Math.max(1, Math.floor(lane.lookupReplicas / 2)),
      }),
    },
  });
  return {
    lowering,
    codesBytes: () => 0,
    histogramsBytes: 0,
    launches: ({ data, pixels }) => [
      {
        pipeline,
        params: {
          ...lowering.params,
          count: pixels * interleaved,
          cells: plan.cells,
          rows: lane.rows,
          rowsPerBlock: lane.rowsPerBlock,
        },
        data,
        scratch: "none",
        grid: [plan.blocks, windows, isSplit ? channels.length : 1],
      },
    ],
  };
}

/** Codes are written first, unless they are the bytes of one channel. */
async function codesProgram(
  { pipelines }: Hardware,
  { plan, channels, interleaved }: Shape,
  lowering: DeviceLowering,
  of: WebgpuLimits,
): Promise<Program> {
  const bytes = plan.raw && interleaved === 1;
  const count = await Promise.all(kernelsOf(plan, bytes, of).map((kernel) => pipelines.of(kernel)));
  const lowerThreads = Math.min(limits.BLOCK_THREADS, of.blockThreads);
  const lower = bytes
    ? null
    : await pipelines.of({
        parts: [PARAMS, ...lowering.parts, lowering.lookupParts.global, "lower"],
        entry: "lower",
        constants: {
          ...lowering.constants,
          THREADS: lowerThreads,
          RANKED: Number(lowering.ranked),
          INTERLEAVED: interleaved,
        },
      });
  const most = Math.min(limits.GPU_CODES, Math.floor(of.chunkBytes / Uint32Array.BYTES_PER_ELEMENT));
  const passes = (data: Data, codes: number, channel: number): Launch[] =>
    Array.from({ length: plan.passes }, (_, i) => {
      const first = i * plan.cellsPerPass;
      const params = {
        count: codes,
        first,
        cells: Math.min(plan.cellsPerPass, plan.cells - first),
        to: channel * countsOf(plan) + first,
        blocks: plan.blocks,
        ...(plan.algorithm === "trish" && TRISH.params(plan)),
      };
      const scratch = plan.algorithm === "trish" ? "histograms" : "none";
      const [main, sum] = count as [GPUComputePipeline, GPUComputePipeline?];
      const sums = limits.divideCeiling(plan.blocks, limits.TRISH_BATCH);
      return [
        { pipeline: main, params, data, scratch, grid: gridOf(plan.blocks, of) } as const,
        ...(sum === undefined ? [] : [{ pipeline: sum, params, data, scratch, grid: [sums] } as const]),
      ];
    }).flat();
  return {
    lowering,
    codesBytes: (pixels) => (lower === null ? 0 : Math.min(pixels, most) * Uint32Array.BYTES_PER_ELEMENT),
    histogramsBytes:
      plan.algorithm === "trish" ? plan.blocks * limits.TRISH_BINS * Uint32Array.BYTES_PER_ELEMENT : 0,
    launches: ({ data, pixels }) => {
      if (lower === null) return passes(data, pixels, 0);
      const all: Launch[] = [];
      for (let first = 0; first < pixels; first += most) {
        const size = Math.min(most, pixels - first);
        for (const [i, channel] of channels.entries()) {
          const params = {
            ...lowering.params,
            count: size,
            first,
            channel,
            cells: plan.cells,
            to: i * countsOf(plan),
          };
          all.push(
            {
              pipeline: lower,
              params,
              data,
              scratch: "codes",
              grid: [gridFor(size, lowerThreads, of)],
            },
            ...passes("codes", size, i),
          );
        }
      }
      return all;
    },
  };
}

function kernelsOf(plan: Plan, bytes: boolean, of: DeviceLimits): Kernel[] {
  if (plan.algorithm === "trish") {
    return [
      { parts: [PARAMS, ...TRISH.parts(bytes)], entry: "count", constants: TRISH.constants(plan) },
      {
        parts: [PARAMS, "trish.sum"],
        entry: "blockSum",
        constants: {
          THREADS: Math.min(limits.TRISH_BINS, of.blockThreads),
          BINS: limits.TRISH_BINS,
          BATCH: limits.TRISH_BATCH,
        },
      },
    ];
  }
  const { parts, ownReads = false, constants } = CODES_KERNELS[plan.algorithm]!;
  const reads: readonly ShaderName[] = ownReads ? [] : [bytes ? "lib/codes-8" : "lib/codes-32", "lib/codes"];
  return [{ parts: [PARAMS, ...reads, ...parts], entry: "count", constants: constants(plan, bytes) }];
}

/** So many blocks or a few more, in two dimensions where one does not hold them. */
export function gridOf(blocks: number, { gridBlocks }: WebgpuLimits): readonly [x: number, y: number] {
  const y = limits.divideCeiling(blocks, gridBlocks);
  return [limits.divideCeiling(blocks, y), y];
}

/** Blocks for kernels without tables: a few samples for every thread. */
export function gridFor(samples: number, threads: number, { units, unit }: DeviceLimits): number {
  const fill = units * Math.min(unit!.blocks, Math.floor(unit!.threads / threads));
  return Math.max(1, Math.min(fill, limits.divideCeiling(samples, threads * limits.WORD_BYTES)));
}
