// The part of the result files' schema (benchmarks/src/runner/row.ts) that the page reads, as the build step passes it on.

export type FileKind = "rows" | "conformance" | "papers" | "notes";

/** One result file, as `data/index.json` lists it. */
export interface FileEntry {
  /** `folder/name`. */
  readonly path: string;
  /** The machine's folder. */
  readonly folder: string;
  readonly name: string;
  readonly kind: FileKind;
  readonly commit: string | null;
  readonly date: string | null;
  readonly machine: Readonly<Record<string, string | number | null>> | null;
  /** Number of rows. */
  readonly rows: number;
  /** Whether `data/<path>.profile.json` exists: the notes hold profiled kernels, or describe the device. */
  readonly profiled: boolean;
  /** Sentences that say what is missing, and why. */
  readonly missing: readonly string[];
  /** How the cases of a conformance run ended; null for other files. */
  readonly conformance: {
    readonly device: string;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  } | null;
}

/** A kernel as a profiler measured it. */
export interface ProfiledKernel {
  readonly name: string;
  readonly distribution: string;
  readonly n: number;
  /** Instructions of threads per counted byte. */
  readonly instructionsPerByte: number;
  readonly bytesRead: number;
  readonly gbps: number;
  /** Clock during the measurement. */
  readonly gigahertz: number;
}

/** The results of a profiler in a file's notes. */
export interface Profile {
  /** Multiprocessors of the device; null if the notes do not say. */
  readonly multiprocessors: number | null;
  readonly kernels: readonly ProfiledKernel[];
}

/** A cell without its raw runs. */
export interface RowSummary {
  readonly backend: string | null;
  readonly algorithm: string | null;
  readonly peer: string | null;
  readonly variant?: string;
  readonly type: string;
  readonly bins: number;
  readonly n: number;
  readonly distribution: string;
  readonly residence: string;
  readonly memory?: string;
  readonly threads?: number;
  readonly devices?: number;
  /** The device that counted, if a file has several. */
  readonly device?: string;
  /** The method, if whole calls were measured one by one. */
  readonly call?: string;
  /** Number of calls in flight at once. Each has its share of the time. */
  readonly inFlight?: number;
  readonly segments?: { readonly count: number; readonly each: number };
  /** 99th percentile of the calls, in milliseconds. */
  readonly p99?: number;
  readonly gbps: number;
  /** Throughput of the whole call on the host's clock, if `gbps` is that of the kernels. */
  readonly callGbps?: number;
  readonly valuesPerSecond?: number;
  readonly weighted?: Weighted;
  /** Share of the fastest kernel that only reads, or of the plain copy; null if not measured or invalid. */
  readonly ceilingPercent: number | null;
  readonly rowSumEfficiency?: number;
  readonly exact: boolean;
  readonly offBy?: number;
  readonly medianMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly runs: number;
}

interface Weighted {
  readonly features: number;
  readonly documents: number;
  readonly adds: string;
  readonly precision: string;
  readonly skip: boolean;
  readonly figures?: readonly string[];
  readonly plans?: readonly string[];
}

export interface RowsFile {
  readonly rows: readonly RowSummary[];
}

/** A row with its file and its index there. */
export interface Row extends RowSummary {
  readonly file: FileEntry;
  /** Index among the file's rows. */
  readonly at: number;
  /** Whether the row is faster than the measured ceiling. The ceiling is then invalid, and no share is shown. */
  readonly invalidCeiling?: boolean;
}
