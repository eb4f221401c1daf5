import type { DeviceLimits } from "../base/index.ts";
import { BYTE_VALUES, divideCeiling, type ParameterRule, TRISH_WORDS, U32_MAX } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import type { LookupSize, Lowering } from "../lowering/index.ts";

/** The unweighted algorithms, by the names they have in every backend. */
export type Slug =
  | "sequential"
  | "multithreaded"
  | "global"
  | "per-block"
  | "per-warp"
  | "per-thread-64"
  | "per-thread"
  | "privatized"
  | "trish"
  | "bank-owned"
  | "per-lane";

/** Parameters that some algorithms take; each names its own in `parameters`. */
export interface Parameters {
  /** trish: words a thread bins before it looks whether its rows must be summed, 1 to 63. */
  readonly k?: number | undefined;
  /** per-warp: how equal bins of one warp are kept apart. */
  readonly collisions?: "atomic" | "tag" | undefined;
  /** privatized: merge now and then, or launch so many blocks that no counter can overflow. */
  readonly merge?: "periodic" | "avoid" | undefined;
  /** privatized: where a thread's counters lie (CUDA Handbook, Figures 4 to 6). */
  readonly layout?: "row" | "column" | "interleaved" | undefined;
}

/** What is to be counted, as far as a plan depends on it. */
export interface PlanRequest extends Parameters {
  readonly algorithm: Slug;
  readonly type: SampleType;
  /** How samples find their codes. */
  readonly lowering: Pick<Lowering, "kind" | "bins" | "flow">;
  /** Room that the lowering's lookup takes on a GPU; null or absent: it has none. */
  readonly lookup?: LookupSize | null | undefined;
  /** Samples of one channel. */
  readonly samples: number;
  /** Channels counted side by side. */
  readonly channels: number;
}

/** per-lane on a GPU: what lies in a block's shared memory. */
export interface LaneTables {
  /** Rows of a channel's table: its cells, and three of flow where a sample can fall outside them. */
  readonly rows: number;
  /** Rows that a block counts; past them, other blocks. */
  readonly rowsPerBlock: number;
  /** Channels that a block counts: all, or one. */
  readonly channelsPerBlock: number;
  /** Bytes of the counters; the copies of the lookup lie behind them. */
  readonly counterBytes: number;
  /** Copies of the lookup; 0: it stays in global memory. */
  readonly lookupReplicas: number;
  /** 16-byte loads that a thread has in flight: few for few samples, since a short kernel starts sooner. */
  readonly inFlight: number;
}

/** An algorithm's own share of a plan. */
export interface Launch extends Parameters {
  /** Threads a block. */
  readonly threads: number;
  /** Blocks of the launch. */
  readonly blocks: number;
  /** Tables a block keeps. */
  readonly replicas: number;
  /** Bits of the counters that are incremented first. */
  readonly counterBits: 8 | 16 | 32;
  /** Cells that one pass over the samples counts. */
  readonly cellsPerPass: number;
  /** Bytes of shared memory a block. */
  readonly sharedBytes: number;
  /** Neighbouring samples that one increment counts: 2 where tables have a cell for each pair of cells. */
  readonly grouping?: 1 | 2;
  /** Words of four samples that a thread bins before its counters must be summed; null: no bound. */
  readonly wordsPerThread: number | null;
  /** per-lane on a GPU. */
  readonly lane?: LaneTables;
}

/**
 * All that a kernel needs to know, worked out before it runs: frozen, comparable, printable.
 * A kernel that is handed a plan chooses no number and checks none again.
 */
export interface Plan extends Launch {
  readonly algorithm: Slug;
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
}

/** What an algorithm's plan rule is told. */
export interface LaunchRequest extends Parameters {
  /** Cells of a table. */
  readonly cells: number;
  /** Samples of one launch, at most. */
  readonly samples: number;
  /** Bytes of a sample. Default 1. */
  readonly sampleBytes?: number;
  /** Can a sample fall outside the cells? Default no. */
  readonly flow?: boolean;
  /** Channels counted side by side. Default 1. */
  readonly channels?: number;
  readonly lookup?: LookupSize | null;
}

/** One algorithm: what it is, where it comes from, how it is launched, and its executable specification. */
export interface Algorithm {
  readonly slug: Slug;
  /** One line for people. */
  readonly title: string;
  /** Paper and section. */
  readonly source: string;
  /** The parameters it takes, with their defaults. */
  readonly parameters: Readonly<Parameters>;
  /** Most bins that it counts; null where passes reach any number. */
  readonly maxBins: number | null;
  /** The plan rule, or one sentence on why this device cannot. */
  launch(request: LaunchRequest, limits: DeviceLimits): Launch | string;
  /**
   * The paper's steps, simulated: blocks, threads, banks and the counters' real widths.
   * `codes`: one code a sample; a code of `cells` or more is passed over, as a predicated-off thread does.
   * @returns counts of `cells` cells.
   * @throws ERR_LIMIT if a counter would overflow: the plan was wrong.
   */
  reference(codes: Uint32Array, launch: Launch, cells: number): Float64Array;
}

/**
 * The plan of an algorithm on a device, or the sentence that says why there is none.
 * @param parameters the algorithm's own, checked
 */
export function planBy(
  algorithm: Algorithm,
  parameters: Parameters,
  request: PlanRequest,
  limits: DeviceLimits,
): Plan | string {
  const { bins } = request.lowering;
  if (algorithm.maxBins !== null && bins > algorithm.maxBins) {
    return `${algorithm.slug} counts at most ${algorithm.maxBins} bins and ${bins} were asked for`;
  }
  const raw = SAMPLE_TRAITS[request.type].bytes === 1 && fitsRaw(algorithm);
  const cells = raw ? BYTE_VALUES : bins;
  const chunkSamples = Math.min(limits.chunkSamples, U32_MAX);
  const samples = Math.min(request.samples, chunkSamples);
  const launch = algorithm.launch(
    {
      ...algorithm.parameters,
      ...parameters,
      cells,
      samples,
      sampleBytes: SAMPLE_TRAITS[request.type].bytes,
      flow: !raw && request.lowering.flow,
      channels: request.channels,
      lookup: raw ? null : (request.lookup ?? null),
    },
    limits,
  );
  if (typeof launch === "string") return launch;
  return Object.freeze({
    algorithm: algorithm.slug,
    type: request.type,
    lowering: request.lowering.kind,
    raw,
    bins,
    cells,
    passes:
      launch.lane === undefined
        ? divideCeiling(cells, launch.cellsPerPass)
        : divideCeiling(launch.lane.rows, launch.lane.rowsPerBlock),
    samples: request.samples,
    channels: request.channels,
    chunkSamples,
    ...launch,
  });
}

function fitsRaw(algorithm: Algorithm): boolean {
  return algorithm.maxBins === null || algorithm.maxBins >= BYTE_VALUES;
}

export const PARAMETER_RULES: Readonly<Record<keyof Parameters, ParameterRule>> = {
  k: { least: 1, most: TRISH_WORDS },
  collisions: ["atomic", "tag"],
  merge: ["periodic", "avoid"],
  layout: ["row", "column", "interleaved"],
};

/** The names of the parameters. */
export const PARAMETER_NAMES: readonly (keyof Parameters)[] = Object.keys(
  PARAMETER_RULES,
) as (keyof Parameters)[];

/** A plan in one line, for logs and `--json`'s reader. */
export function describePlan(of: Plan): string {
  const parameters = PARAMETER_NAMES.filter((name) => of[name] !== undefined).map(
    (name) => `${name} ${of[name]}`,
  );
  const parts = [
    `${of.blocks} x ${of.threads} threads`,
    `${of.replicas} x ${of.cells} counters of ${of.counterBits} bits`,
    `${of.sharedBytes} bytes a block`,
    ...(of.passes > 1 ? [`${of.passes} passes`] : []),
    ...parameters,
  ];
  return `${of.algorithm}: ${parts.join(", ")}`;
}
