import type { Fingerprints } from "../sources/fingerprints.ts";

/** A cell of weighted sums over a feature table: the request and the launched plans. */
export interface Weighted {
  readonly features: number;
  /** Documents of each feature. */
  readonly documents: number;
  readonly adds: "counts and sums" | "sums" | "counts, sums and squares" | "sums and squares";
  readonly precision: "reproducible" | "fast";
  /** Whether the most frequent value was skipped. */
  readonly skip: boolean;
  /** The unit that a thread loads. Absent in results from before it was a parameter, when it was one value. */
  readonly fetch?: "word" | "value" | undefined;
  /** How blocks' tables become totals. */
  readonly reduce?: "tables" | "atomic" | undefined;
  /** The paper's N_unroll, N_warp and N_buffer, for algorithms that have them. */
  readonly unroll?: number | undefined;
  readonly warps?: number | undefined;
  readonly buffer?: number | undefined;
  /** Standard deviation of normal values, in bins. */
  readonly sigma?: number | undefined;
  /** Share of values that are 0. */
  readonly zeroShare?: number | undefined;
  /** Tables and figures of the paper that contain this cell. */
  readonly figures?: readonly string[] | undefined;
  /** Plans in words. The hybrid has one for each group. */
  readonly plans: readonly string[];
}

/** A paper's kernel, written as the paper publishes it, and how it was launched. */
export interface Published {
  /** `brown-snoeyink`, `cuda-handbook`, `podlozhnyuk`, `hardavellas` or `xu`. */
  readonly paper: string;
  /** The paper's name of the method. The row's `peer` and `variant` together are unique, this is not. */
  readonly method: string;
  /** `paper`: its threads and its blocks per multiprocessor. `today`: as many of its blocks as fit on this device. */
  readonly launch: "paper" | "today";
  /** Figures, tables and sections of the paper that contain this cell, such as `Figure 4`. */
  readonly figures: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  /** Blocks that a multiprocessor holds at once, as the driver computes it for this launch. */
  readonly blocksPerUnit: number;
  readonly sharedBytes: number;
  readonly registers: number;
  /** The paper's parameters: k, merge, layout and so on. */
  readonly parameters: Readonly<Record<string, number | string>>;
  /** The part of `ms` after the kernel that counts: sums over blocks, or totals of skipped values. */
  readonly mergeMs?: readonly number[] | undefined;
  /** Why the result is wrong on purpose, in rows that are not exact. */
  readonly wrong?: string | undefined;
}

/** The clocks of a GPU right after the runs of a row, in MHz. */
export interface Clocks {
  readonly sm: number;
  readonly memory: number;
}

/** The kind of call. A peer has one kind, which is `count`. */
export type Call =
  | "histogram"
  | "count"
  | "countSync"
  | "countAll"
  | "accumulate"
  | "segments"
  | "segments left";

/** The segments of one call. */
export interface SegmentShape {
  readonly count: number;
  /** Samples per segment. */
  readonly each: number;
}

/** One measured cell. `ms` holds every warm run, in order. */
export interface Row {
  readonly backend: string | null;
  /** The device, if a file has several: "2 workers", "SwiftShader Device (Subzero)". */
  readonly device?: string | undefined;
  readonly algorithm: string | null;
  /** Name of another program; null for our own. "read" and "copy" measure memory and bus. */
  readonly peer: string | null;
  /** Parameters of the algorithm, or the peer's method. */
  readonly variant?: string | undefined;
  readonly type: string;
  readonly bins: number;
  /** Samples of one channel. For a feature table, its values: features times documents. */
  readonly n: number;
  readonly distribution: string;
  readonly residence: "resident" | "upload" | "file";
  /** Kind of host memory, if data are not resident. */
  readonly memory?: string | undefined;
  /** Number of threads of a backend on the CPU. */
  readonly threads?: number | undefined;
  /** Number of devices, if there may be several. */
  readonly devices?: number | undefined;
  /** The kind of call, if `ms` holds whole calls on the caller's clock, made one by one, until the counts are on the host. */
  readonly call?: Call | undefined;
  /**
   * Number of calls in flight at once, of inputs of one `countAll`, or of calls of `accumulate` before one `take`. `ms`
   * holds each one's share of the time. Default: 1.
   */
  readonly inFlight?: number | undefined;
  readonly segments?: SegmentShape | undefined;
  readonly ms: readonly number[];
  /** The 95% confidence interval of the median of `ms`, if there are enough runs. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** The 99th percentile of `ms`, in rows with a `call`. */
  readonly p99?: number | undefined;
  /** The whole call on the host's clock, in the same rounds, if `ms` is the kernels' time. Also set for other programs on a GPU. */
  readonly callMs?: readonly number[] | undefined;
  /** Throughput of the median, in GB/s. */
  readonly gbps: number;
  /** Features times documents per second, from the median. */
  readonly valuesPerSecond?: number | undefined;
  readonly weighted?: Weighted | undefined;
  /** A kernel of a paper. Its `peer` is the paper's authors and method. */
  readonly published?: Published | undefined;
  readonly clocks?: Clocks | undefined;
  /** Share of the read-only ceiling of the same run, or of the plain copy if data are not resident. */
  readonly ceilingPercent: number | null;
  /** trish: words binned between row sums, as a share of the maximum (Figure 4, lower half). */
  readonly rowSumEfficiency?: number | undefined;
  /** Peak memory of the process, in bytes. */
  readonly peakBytes?: number | undefined;
  /** Number of bytes by which the calls raised the peak memory of the process above that of the samples. */
  readonly grownBytes?: number | undefined;
  /** Whether the result equals the oracle's. It is compared before it is measured. */
  readonly exact: boolean;
  /** The largest error of sums that are not exact, as a share of its bin's sum of |weight|. If counts are not exact, the share of samples in other bins. */
  readonly offBy?: number | undefined;
}

/** The fields that tell the contestants of a file apart. */
export const CONTESTANT = [
  "backend",
  "algorithm",
  "peer",
  "variant",
  "threads",
  "type",
  "bins",
  "n",
  "residence",
  "memory",
  "devices",
  "call",
  "inFlight",
  "segments",
] as const;

/** One contestant on several distributions. */
export interface Spread extends Pick<Row, (typeof CONTESTANT)[number]> {
  readonly worst: { readonly distribution: string; readonly gbps: number };
  readonly best: { readonly distribution: string; readonly gbps: number };
  readonly worstOverBest: number;
  /** The lowest share of all distributions. */
  readonly ceilingPercent: number | null;
}

/** A result file of design section 9's schema. */
export interface Results {
  readonly schema: 1;
  readonly commit: string;
  readonly date: string;
  readonly machine: Machine;
  /** Hashes of the sources that the rows depend on; absent if the sources were not available. */
  readonly sources?: Fingerprints | undefined;
  /** Values derived from the rows, named as in a paper. */
  readonly notes?: Readonly<Record<string, unknown>> | undefined;
  readonly spreads: readonly Spread[];
  readonly rows: readonly Row[];
  /** Peers and cells that are missing, and why. */
  readonly missing: readonly string[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly gpu: string | null;
  readonly driver: string | null;
  readonly node: string;
  readonly os: string;
}
