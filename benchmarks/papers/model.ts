import type { Measured, Needs } from "./measured.ts";

/** One number of a figure or table: throughput at a size, a counter of a method, … */
export interface Point {
  /** What it is of: a method, as the paper calls it, or one of ours that the paper does not have. */
  readonly series: string;
  readonly x: number | string;
  readonly y: number;
}

/** A number that the paper prints, and its section. */
export interface PaperNumber extends Point {
  readonly where: string;
}

export interface Axis {
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
  readonly paper: readonly PaperNumber[];
  /** Series and places that are to be measured; those that `ours` does not find are missing. */
  readonly wanted: readonly Pick<Point, "series" | "x">[];
  ours(measured: Measured): readonly Point[];
  /** What measures it, where it is not the figure's command. */
  readonly command?: string;
  /** What ours is of, where it is not what the figure needs: the CPU's machine too, which may be another, or a formula. */
  readonly on?: "gpu and cpu" | "formula";
}

export type Verdict = "agrees" | "differs" | "turned round" | "not measured";

/** Something that can be read off points, the paper's and ours alike, and when two readings agree. */
export interface Reading<T> {
  /** What is read and when two agree, in words. */
  readonly how: string;
  /** Null where the points do not tell. */
  read(points: readonly Point[]): T | null;
  text(value: T): string;
  /** `points` are ours. */
  compare(paper: T, ours: T, points: readonly Point[]): Verdict;
}

/** A statement of the paper's: read off its numbers, or stated in its text. */
export interface Rule {
  readonly claim: string;
  readonly where: string;
  readonly how: string;
  judge(
    paper: readonly Point[],
    ours: readonly Point[],
  ): { readonly paper: string; readonly ours: string | null; readonly verdict: Verdict };
  readonly panel: string;
}

/** A figure or table of a paper, and how ours is found. */
export interface Figure {
  readonly paper: PaperId;
  /** Such as `figure-4`. */
  readonly id: string;
  readonly title: string;
  /** Where it stands in the paper. */
  readonly source: string;
  /** What of it the paper's text does not tell; null where it tells all numbers. */
  readonly lost: string | null;
  readonly needs: Needs;
  /** What measures it on a GPU machine; without a GPU `papers` measures what it can itself. */
  readonly command: string;
  readonly panels: readonly Panel[];
  readonly rules: readonly Rule[];
  /** Where ours is not the paper's experiment, and where the paper contradicts itself. */
  readonly notes: readonly string[];
}

export type PaperId = "brown-snoeyink" | "cuda-handbook" | "xu";

/** A paper, as its data file says it. */
export interface Paper {
  readonly title: string;
  readonly authors: string;
  readonly published: string;
  readonly machine: string;
}
