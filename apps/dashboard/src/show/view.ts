import type { TemplateResult } from "lit-html";
import type { Basis, FileEntry, Route, Row } from "../data/index.ts";

/** The data and functions with which a view draws itself. */
export interface Context {
  /** Files of the selected machine. */
  readonly files: readonly FileEntry[];
  /** Files that the view can draw, those of the last day first. */
  readonly sources: readonly FileEntry[];
  /** The one file that the view draws. Null: it draws none, or is no view of one file. */
  readonly source: FileEntry | null;
  /** Rows of `source`, or of `files` if the view is none of one file; on the selected basis if the view has one. */
  readonly rows: readonly Row[];
  /** The same rows as measured, ceilings among them, whose times are those of kernels. */
  readonly measured: readonly Row[];
  /** The time behind throughputs; null if rows stay as in their files. */
  readonly basis: Basis | null;
  readonly route: Route;
  /** Width in pixels available to a plot. */
  readonly width: number;
  /** Goes to the same view with other selections. Null removes one. */
  select(changes: Readonly<Record<string, string | null>>): void;
  /** Draws the view again. */
  redraw(): void;
}

/** A view of committed results or of something live. */
export interface View {
  readonly id: string;
  readonly title: string;
  /** The question that the first screen answers. */
  readonly question?: string;
  /** Explains the view: below its plots if it has a question, else below its title. */
  readonly about: string;
  /** Whose results it reads. A plot of times shows one file, hence one host, one day and one load. */
  readonly reads: "one file" | "any machine" | "nothing";
  /** Of a view of one file: the rows of a file that it can draw. */
  drawable?(rows: readonly Row[]): readonly Row[];
  /** `switch`: the page's switch between kernels and whole calls applies. Null: it does not, and `timing` says why. */
  readonly basis: "switch" | null;
  /** One sentence about the times of a view that the switch does not govern. */
  readonly timing?: string;
  render(context: Context): TemplateResult | Promise<TemplateResult>;
}

/** Returns the selection under a name if it is one of the choices, else the first choice or `fallback`. */
export function chosen(
  { route }: Context,
  name: string,
  choices: readonly string[],
  fallback: string = choices[0] ?? "",
): string {
  const value = route.selected.get(name);
  return value !== undefined && choices.includes(value) ? value : fallback;
}

/** Returns every value once, in order of first appearance. */
export const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];
