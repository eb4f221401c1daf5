import type { TemplateResult } from "lit-html";
import type { Basis } from "../data/basis.ts";
import type { FileEntry, Row } from "../data/types.ts";
import type { Route } from "../route.ts";

/** What a view gets to draw itself from. */
export interface Context {
  /** Of the selected machine and commit. */
  readonly files: readonly FileEntry[];
  /** Of `files`, on the selected basis where the view has one. */
  readonly rows: readonly Row[];
  /** What throughput is of; null where rows are as their files have them. */
  readonly basis: Basis | null;
  readonly route: Route;
  /** Pixels that a plot may take in a line. */
  readonly width: number;
  /** Goes to the same view with something else selected; null takes a selection away. */
  select(changes: Readonly<Record<string, string | null>>): void;
  /** Draws again. */
  redraw(): void;
}

/** A view of committed results or of something live. */
export interface View {
  readonly id: string;
  readonly title: string;
  /** One sentence below the title. */
  readonly about: string;
  /** Whose results it reads. Throughput of two machines is never shown together. */
  readonly reads: "one machine" | "any machine" | "nothing";
  /** What throughput is of at first; null: it shows rows as their files have them. */
  readonly basis: Basis | null;
  render(context: Context): TemplateResult | Promise<TemplateResult>;
}

/** What is selected under a name, if it is one of the choices; else the first choice, or `fallback`. */
export function chosen(
  { route }: Context,
  name: string,
  choices: readonly string[],
  fallback: string = choices[0] ?? "",
): string {
  const value = route.selected.get(name);
  return value !== undefined && choices.includes(value) ? value : fallback;
}

/** Every value once, in the order of their first appearance. */
export const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];
