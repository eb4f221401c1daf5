import type { Measured, Needs } from "./measured.ts";
import type { Because } from "./reasons.ts";

/** One number of a figure or table, such as the throughput at a size or a counter of a method. */
export interface Point {
  /** The method: the paper's name, or the name of ours if the paper does not have it. */
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
  /** `none`: the numbers have different units, so only a table shows them. */
  readonly mark: "line" | "bar" | "none";
  readonly x: Axis;
  readonly y: Axis;
  readonly paper: readonly PaperNumber[];
  /** Points that should be measured. Those that `ours` does not return are missing. */
  readonly wanted: readonly PlaceOf[];
  ours(measured: Measured): readonly Point[];
  /** Points of the paper's kernels as published, on our device. Default: none. */
  published(measured: Measured): readonly Point[];
  /** The command that measures it, if it is not the figure's. */
  readonly command?: string;
  /** The origin of ours, if it is not the device that the figure needs: also a CPU, perhaps of another machine, or a formula. */
  readonly on?: "gpu and cpu" | "formula";
  /** Whether the numbers describe the device and no method, so that they are those of a kernel as published, too. */
  readonly ofDevice?: true;
}

export type Verdict = "agrees" | "differs" | "reversed" | "not measured";

/** A place of a series. */
export type PlaceOf = Pick<Point, "series" | "x">;

/** A value computed from points, the paper's or ours, and the rule by which two such values agree. */
export interface Reading<T> {
  /** Describes the value and the rule in words. */
  readonly how: string;
  /** Whether the value is one over several points, such as a highest one, and needs this one. Without it there is no value. */
  needs?(place: PlaceOf): boolean;
  /** Returns null if the points do not determine the value. */
  read(points: readonly Point[]): T | null;
  text(value: T): string;
  /** Compares both values. `points` are ours. */
  compare(paper: T, ours: T, points: readonly Point[]): Verdict;
}

/** A statement of the paper, which follows from its numbers or is part of its text. */
export interface Rule {
  /** Unique among all papers, and never changed, so that one can cite it: `trish-independence`. */
  readonly id: string;
  readonly claim: string;
  readonly where: string;
  readonly how: string;
  judge(
    paper: readonly Point[],
    ours: readonly Point[],
    missing?: readonly PlaceOf[],
  ): { readonly paper: string; readonly ours: string | null; readonly verdict: Verdict };
  readonly panel: string;
  /** Returns the cause of a verdict other than "agrees" as one sentence with its measurements; null if they are missing. */
  readonly cause?: (measured: Measured, column: Column) => string | null;
  /** Why nothing of a column can decide the statement. Its verdict there is always "not measured". */
  readonly because?: Because;
}

/** Whose kernels a verdict is about: the paper's, or the product's. */
export type Column = "published" | "ours";

/** A figure or table of a paper, and how our numbers are found. */
export interface Figure {
  readonly paper: PaperId;
  /** Such as `figure-4`. */
  readonly id: string;
  readonly title: string;
  /** Its sections in the paper. */
  readonly source: string;
  /** The parts that the paper's text leaves out; null if it states all numbers. */
  readonly lost: string | null;
  readonly needs: Needs;
  /** The command that measures it on a GPU machine. Without a GPU, `papers` measures what workers can. */
  readonly command: string;
  readonly panels: readonly Panel[];
  readonly rules: readonly Rule[];
  /** Differences between our experiment and the paper's, and contradictions within the paper. */
  readonly notes: readonly string[];
}

export type PaperId = "brown-snoeyink" | "cuda-handbook" | "podlozhnyuk" | "hardavellas" | "xu";

/** A paper, as its data file describes it. */
export interface Paper {
  readonly title: string;
  readonly authors: string;
  readonly published: string;
  readonly machine: string;
}
