import type { Fingerprints } from "../sources/fingerprints.ts";

/** A cell of weighted sums over a feature table: what was asked for, and what was launched. */
export interface Weighted {
  readonly features: number;
  /** Of each feature. */
  readonly documents: number;
  readonly adds: "counts and sums" | "sums" | "counts, sums and squares" | "sums and squares";
  readonly precision: "reproducible" | "fast";
  /** Was the most frequent value passed over? */
  readonly skip: boolean;
  /** The paper's N_unroll, N_warp and N_buffer, of the algorithms that have them. */
  readonly unroll?: number;
  readonly warps?: number;
  readonly buffer?: number;
  /** Standard deviation of normal values, in bins. */
  readonly sigma?: number;
  /** Share of values that are 0. */
  readonly zeroShare?: number;
  /** Tables and figures of the paper that it is a cell of. */
  readonly figures?: readonly string[];
  /** In words; of the hybrid the plans of all groups. */
  readonly plans: readonly string[];
}

/** How the library, or a peer, is called; a peer has one way, which is `count`. */
export type Call =
  | "histogram"
  | "count"
  | "countSync"
  | "countAll"
  | "accumulate"
  | "segments"
  | "segments left";

/** Segments that are counted in one call. */
export interface SegmentShape {
  readonly count: number;
  /** Samples of each. */
  readonly each: number;
}

/** One measured cell. `ms` holds every run, warm, in order. */
export interface Row {
  readonly backend: string | null;
  /** What counted, where a file has several: "2 workers", "SwiftShader Device (Subzero)". */
  readonly device?: string;
  readonly algorithm: string | null;
  /** Name of somebody else's program, null for our own; "read" and "copy" are what memory and bus can do. */
  readonly peer: string | null;
  /** Parameters of the algorithm, or how the peer did it. */
  readonly variant?: string;
  readonly type: string;
  readonly bins: number;
  /** Samples of one channel; of a feature table its values, features times documents. */
  readonly n: number;
  readonly distribution: string;
  readonly residence: "resident" | "upload" | "file";
  /** Where data come from that are not resident. */
  readonly memory?: string;
  /** Threads at work, of a backend on the CPU. */
  readonly threads?: number;
  /** Devices at work, where it may be several. */
  readonly devices?: number;
  /** Whole calls on the caller's clock, one after the other, from the call to its result at home; `ms` is then one call's. */
  readonly call?: Call;
  /** Calls that are on their way at once, or inputs of one `countAll`: each has its share of the time in `ms`. Absent: 1. */
  readonly inFlight?: number;
  readonly segments?: SegmentShape;
  readonly ms: readonly number[];
  /** The 99th percentile of `ms`, of rows that name a `call`. */
  readonly p99?: number;
  /** The whole call on the host's clock, in the same rounds, where `ms` is the kernels' time; of other programs on a GPU `ms`. */
  readonly callMs?: readonly number[];
  /** From the median. */
  readonly gbps: number;
  /** Features times documents a second, from the median. */
  readonly valuesPerSecond?: number;
  readonly weighted?: Weighted;
  /** Of the read-only ceiling of the same run; of the plain copy where data are not resident. */
  readonly ceilingPercent: number | null;
  /** trish: words binned between row sums over the most there could be (Figure 4, lower half). */
  readonly rowSumEfficiency?: number;
  /** Most bytes of memory that the process held meanwhile. */
  readonly peakBytes?: number;
  /** Compared with the oracle before it was measured. */
  readonly exact: boolean;
  /** Of sums that are not exact: how far the worst is off, as a share of its bin's sum of |weight|. */
  readonly offBy?: number;
}

/** One contestant over the distributions. */
export interface Spread
  extends Pick<
    Row,
    | "backend"
    | "algorithm"
    | "threads"
    | "peer"
    | "variant"
    | "type"
    | "bins"
    | "n"
    | "residence"
    | "memory"
    | "devices"
    | "call"
    | "inFlight"
    | "segments"
  > {
  readonly worst: { readonly distribution: string; readonly gbps: number };
  readonly best: { readonly distribution: string; readonly gbps: number };
  readonly worstOverBest: number;
  /** The least over the distributions. */
  readonly ceilingPercent: number | null;
}

/** A result file of design section 9's schema. */
export interface Results {
  readonly schema: 1;
  readonly commit: string;
  readonly date: string;
  readonly machine: Machine;
  /** Hashes of what the rows depend on; absent where the sources were not at hand. */
  readonly sources?: Fingerprints;
  /** What the rows come to, in the words of a paper. */
  readonly notes?: Readonly<Record<string, unknown>>;
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

type Named = Pick<
  Row,
  "peer" | "algorithm" | "variant" | "devices" | "memory" | "call" | "inFlight" | "segments"
>;

/** What a row is called beside others: its algorithm or peer, and the variant. */
export function labelOf({ peer, algorithm, variant, devices, memory, ...row }: Named): string {
  const count = devices === undefined ? undefined : `${devices} device${devices === 1 ? "" : "s"}`;
  const parts = [peer ?? algorithm, peer === "read" ? undefined : variant, callName(row), memory, count];
  return parts.filter(Boolean).join(", ");
}

/** How it is called, in words: "count, 8 in flight"; null of rows of kernels. */
export function callName({
  call,
  inFlight = 1,
  segments,
}: Pick<Row, "call" | "inFlight" | "segments">): string | null {
  if (call === undefined) return null;
  const of = segments === undefined ? "" : `, ${segments.count} of ${segments.each}`;
  return `${call}${inFlight === 1 ? "" : `, ${inFlight} ${call === "countAll" ? "at once" : "in flight"}`}${of}`;
}

/** Worst over best of everything that was measured on more than one distribution at the same size. */
export function spreadsOf(rows: readonly Row[]): Spread[] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([row.backend, labelOf(row), row.type, row.bins, row.n, row.residence, row.threads]),
  );
  return [...groups.values()].flatMap((group): Spread[] => {
    if (new Set(group.map(({ distribution }) => distribution)).size < 2) return [];
    const inOrder = group.toSorted((a, b) => a.gbps - b.gbps);
    const [worst, best] = [inOrder[0]!, inOrder.at(-1)!];
    const percents = group.map(({ ceilingPercent }) => ceilingPercent);
    const { backend, algorithm, peer, variant, threads, type, bins, n, residence, memory, devices } = worst;
    const { call, inFlight, segments } = worst;
    return [
      {
        backend,
        algorithm,
        peer,
        ...(variant === undefined ? {} : { variant }),
        ...(threads === undefined ? {} : { threads }),
        type,
        bins,
        n,
        residence,
        ...(memory === undefined ? {} : { memory }),
        ...(devices === undefined ? {} : { devices }),
        ...(call === undefined ? {} : { call }),
        ...(inFlight === undefined ? {} : { inFlight }),
        ...(segments === undefined ? {} : { segments }),
        worst: { distribution: worst.distribution, gbps: worst.gbps },
        best: { distribution: best.distribution, gbps: best.gbps },
        worstOverBest: worst.gbps / best.gbps,
        ceilingPercent: percents.includes(null) ? null : Math.min(...(percents as number[])),
      },
    ];
  });
}
