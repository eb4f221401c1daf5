// The part of the result files' schema (benchmarks/src/result.ts) that the page reads, as the build step hands it on.

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
  readonly gbps: number;
  readonly valuesPerSecond?: number;
  readonly weighted?: Weighted;
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
}

/** A line or a set of points of a figure: x is a number or the name of a category. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number | string, number])[];
}

interface FigureAxis {
  readonly label?: string;
  readonly log?: boolean;
}

/** A figure or table of a paper beside ours: what benchmarks/papers writes into `papers.json`. */
export interface PaperFigure {
  readonly paper: string;
  readonly figure: string;
  readonly title: string;
  readonly x?: FigureAxis;
  readonly y?: FigureAxis;
  readonly paperSeries?: readonly Series[];
  readonly ourSeries?: readonly Series[];
  readonly table?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number | null)[])[];
  };
  /** Sentences: what has the paper's shape, what is the other way round today, what else is to be known. */
  readonly agrees?: readonly string[];
  readonly turned?: readonly string[];
  readonly notes?: readonly string[];
}

export interface PapersFile {
  readonly papers: readonly PaperFigure[];
  readonly missing?: readonly string[];
}
