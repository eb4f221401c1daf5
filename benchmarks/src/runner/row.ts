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
  /** The paper's N_unroll, N_warp and N_buffer, for algorithms that have them. */
  readonly unroll?: number;
  readonly warps?: number;
  readonly buffer?: number;
  /** Standard deviation of normal values, in bins. */
  readonly sigma?: number;
  /** Share of values that are 0. */
  readonly zeroShare?: number;
  /** Tables and figures of the paper that contain this cell. */
  readonly figures?: readonly string[];
  /** Plans in words. The hybrid has one for each group. */
  readonly plans: readonly string[];
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
  readonly device?: string;
  readonly algorithm: string | null;
  /** Name of another program; null for our own. "read" and "copy" measure memory and bus. */
  readonly peer: string | null;
  /** Parameters of the algorithm, or the peer's method. */
  readonly variant?: string;
  readonly type: string;
  readonly bins: number;
  /** Samples of one channel. For a feature table, its values: features times documents. */
  readonly n: number;
  readonly distribution: string;
  readonly residence: "resident" | "upload" | "file";
  /** Kind of host memory, if data are not resident. */
  readonly memory?: string;
  /** Number of threads of a backend on the CPU. */
  readonly threads?: number;
  /** Number of devices, if there may be several. */
  readonly devices?: number;
  /** The kind of call, if `ms` holds whole calls on the caller's clock, made one by one, until the counts are on the host. */
  readonly call?: Call;
  /**
   * Number of calls in flight at once, of inputs of one `countAll`, or of calls of `accumulate` before one `take`. `ms`
   * holds each one's share of the time. Default: 1.
   */
  readonly inFlight?: number;
  readonly segments?: SegmentShape;
  readonly ms: readonly number[];
  /** The 99th percentile of `ms`, in rows with a `call`. */
  readonly p99?: number;
  /** The whole call on the host's clock, in the same rounds, if `ms` is the kernels' time. Also set for other programs on a GPU. */
  readonly callMs?: readonly number[];
  /** Throughput of the median, in GB/s. */
  readonly gbps: number;
  /** Features times documents per second, from the median. */
  readonly valuesPerSecond?: number;
  readonly weighted?: Weighted;
  /** Share of the read-only ceiling of the same run, or of the plain copy if data are not resident. */
  readonly ceilingPercent: number | null;
  /** trish: words binned between row sums, as a share of the maximum (Figure 4, lower half). */
  readonly rowSumEfficiency?: number;
  /** Peak memory of the process, in bytes. */
  readonly peakBytes?: number;
  /** Whether the result equals the oracle's. It is compared before it is measured. */
  readonly exact: boolean;
  /** The largest error of sums that are not exact, as a share of its bin's sum of |weight|. */
  readonly offBy?: number;
}

/** One contestant on several distributions. */
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
  readonly sources?: Fingerprints;
  /** Values derived from the rows, named as in a paper. */
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

/** Names a row among others: its algorithm or peer, and the variant. */
export function labelOf({ peer, algorithm, variant, devices, memory, ...row }: Named): string {
  const count = devices === undefined ? undefined : `${devices} device${devices === 1 ? "" : "s"}`;
  const parts = [peer ?? algorithm, peer === "read" ? undefined : variant, callName(row), memory, count];
  return parts.filter(Boolean).join(", ");
}

/** States the meaning of `inFlight` for kinds of calls whose inputs are not calls in flight. */
const TOGETHER: Partial<Record<Call, string>> = { countAll: "at once", accumulate: "before one take" };

/** Names the kind of call: "count, 8 in flight"; null for rows of kernels. */
export function callName({
  call,
  inFlight = 1,
  segments,
}: Pick<Row, "call" | "inFlight" | "segments">): string | null {
  if (call === undefined) return null;
  const of = segments === undefined ? "" : `, ${segments.count} of ${segments.each}`;
  return `${call}${inFlight === 1 ? "" : `, ${inFlight} ${TOGETHER[call] ?? "in flight"}`}${of}`;
}

/** Computes worst over best of all contestants that were measured on more than one distribution at the same size. */
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
