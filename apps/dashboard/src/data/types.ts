// The part of the result files' schema (benchmarks/src/runner/row.ts) that the page reads, as the build step hands it on.

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
  /** How many rows it has. */
  readonly rows: number;
  /** What is missing in it, and why, in sentences. */
  readonly missing: readonly string[];
  /** Of a conformance run how its cases ended. */
  readonly conformance: {
    readonly device: string;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  } | null;
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
  /** What counted, where a file has several. */
  readonly device?: string;
  /** How it was called, of whole calls that were measured one by one. */
  readonly call?: string;
  /** Calls on their way at once, each with its share of the time. */
  readonly inFlight?: number;
  readonly segments?: { readonly count: number; readonly each: number };
  /** Milliseconds that 99 of 100 calls take at the most. */
  readonly p99?: number;
  readonly gbps: number;
  /** By the whole call on the host's clock, where `gbps` is by the kernels' time. */
  readonly callGbps?: number;
  readonly valuesPerSecond?: number;
  readonly weighted?: Weighted;
  /** Of the fastest kernel that only reads, or of the plain copy; null where it was not measured or is invalid. */
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

/** A row, and where it stands. */
export interface Row extends RowSummary {
  readonly file: FileEntry;
  /** Its place among the file's rows. */
  readonly at: number;
  /** Was the row faster than what the run measured as its ceiling? Then that is no ceiling, and no share is shown. */
  readonly invalidCeiling?: boolean;
}

/** A line of a plot: x is a number or the name of a category. */
export interface Series {
  /** The plot that it belongs to. */
  readonly panel: string;
  readonly name: string;
  readonly points: readonly { readonly x: number | string; readonly y: number }[];
}

interface Axis {
  readonly label: string;
  readonly scale: "linear" | "log" | "symlog" | "category";
}

/** One plot of a figure, or one block of a table. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** `none`: numbers in units of their own, which only a table shows. */
  readonly mark: "line" | "bar" | "none";
  readonly x: Axis;
  readonly y: Axis;
  /** What was to be measured and was not. */
  readonly missing: readonly { readonly series: string; readonly x: number | string }[];
}

/** Something that the paper says of its figure, and what ours says to it. */
interface Finding {
  readonly claim: string;
  readonly where: string;
  readonly how: string;
  readonly paper: string;
  readonly ours: string | null;
  readonly verdict: string;
}

/** A figure or table of a paper beside ours, as benchmarks/papers reports it. */
export interface PaperFigure {
  /** Of the figure among all papers. */
  readonly id: string;
  readonly paper: string;
  readonly title: string;
  /** Where it stands in the paper. */
  readonly source: string;
  /** What of it the paper's text does not tell; null where it tells all numbers. */
  readonly lost: string | null;
  readonly paperMachine: string;
  /** What ours was measured on; null where it was not. */
  readonly machine: string | null;
  /** What measures it. */
  readonly command: string;
  readonly notes: readonly string[];
  readonly findings: readonly Finding[];
  readonly panels: readonly Panel[];
  readonly paperSeries: readonly Series[];
  readonly ourSeries: readonly Series[];
}

export interface PapersFile {
  readonly papers: readonly PaperFigure[];
}
