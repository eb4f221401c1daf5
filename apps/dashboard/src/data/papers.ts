// The part of a report of the papers (benchmarks/papers/report.ts) that the page reads.

/** A cell of a table: text, or a link to a figure. */
export type PageCell = string | { readonly text: string; readonly figure: string };

/** A picture of numbers by row on a logarithmic axis. */
export interface PagePicture {
  readonly unit: string;
  /** The first one is the papers'. */
  readonly who: readonly string[];
  readonly rows: readonly string[];
  readonly marks: readonly { readonly row: string; readonly who: string; readonly x: number }[];
  readonly lines: readonly { readonly label: string; readonly x: number }[];
}

export interface PageSection {
  readonly id: string;
  readonly title: string;
  /** Sentences. Text between backquotes is code. */
  readonly text: readonly string[];
  readonly picture?: PagePicture;
  readonly table: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly PageCell[])[];
    readonly numbers: readonly number[];
  } | null;
}

/** The story of a report, before its figures. */
export interface Page {
  readonly title: string;
  readonly lead: readonly string[];
  readonly sections: readonly PageSection[];
}

export interface Point {
  readonly x: number | string;
  readonly y: number;
}

/** A line of a plot: x is a number or the name of a category. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Axis {
  readonly label: string;
  readonly scale: "linear" | "log" | "symlog" | "category";
}

/** The numbers of one backend in one plot. */
export interface PanelSide {
  readonly label: string;
  /** Our value that becomes 1; null without numbers. */
  readonly unit: number | null;
  /** The paper's value that becomes 1 next to ours; null without numbers. */
  readonly paperUnit: number | null;
  /** Says which value is 1. */
  readonly caption: readonly string[];
  readonly series: readonly Series[];
}

/** One plot of a figure, or one block of a table. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** `none`: the numbers have different units, so only a table shows them. */
  readonly mark: "line" | "bar" | "none";
  readonly x: Axis;
  readonly y: Axis;
  /** Whether the plot divides the numbers by a side's unit, since they are speeds. */
  readonly relative: boolean;
  /** Points that should have been measured but were not. */
  readonly missing: readonly { readonly series: string; readonly x: number | string }[];
  readonly paper: readonly Series[];
  readonly sides: readonly PanelSide[];
}

/** A statement of the paper about its figure, and the result of each backend in the order of the figure's. */
interface Finding {
  readonly claim: string;
  readonly where: string;
  readonly how: string;
  readonly paper: string;
  /** Why no measurement can decide the statement; null if one can. */
  readonly because: string | null;
  readonly sides: readonly {
    readonly ours: string | null;
    readonly verdict: string;
    /** The cause of a difference, measured or called a guess; null if there is none. */
    readonly cause: string | null;
  }[];
}

/** A figure or table of a paper next to ours. */
export interface PaperFigure {
  /** Unique among all papers. */
  readonly id: string;
  readonly paper: string;
  readonly title: string;
  /** Its sections in the paper. */
  readonly source: string;
  /** The parts that the paper's text leaves out; null if it states all numbers. */
  readonly lost: string | null;
  readonly paperMachine: string;
  /** The command that measures it. */
  readonly command: string;
  readonly notes: readonly string[];
  /** The papers' kernels as published, then polybin's backends with numbers. */
  readonly sides: readonly { readonly id: string; readonly label: string; readonly machine: string }[];
  readonly findings: readonly Finding[];
  readonly panels: readonly Panel[];
}

export interface PapersFile {
  readonly page: Page;
  readonly papers: readonly PaperFigure[];
}
