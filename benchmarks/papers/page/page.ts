/** A cell of a table: text, or a link to a figure's section, or to one of its statements. */
export type Cell = string | { readonly text: string; readonly figure: string; readonly statement?: string };

export interface PageTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Indices of columns that hold numbers. */
  readonly numbers: readonly number[];
}

/** A number of a picture. */
export interface Mark {
  readonly row: string;
  readonly who: string;
  readonly x: number;
}

/** A picture of numbers by row on a logarithmic axis. */
export interface Picture {
  readonly unit: string;
  /** The first one is the papers'. */
  readonly who: readonly string[];
  readonly rows: readonly string[];
  readonly marks: readonly Mark[];
  /** Vertical lines across all rows. */
  readonly lines: readonly { readonly label: string; readonly x: number }[];
}

/** A part of the page: sentences, then a picture and a table. Sentences may contain `code`. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly text: readonly string[];
  readonly picture?: Picture;
  readonly table: PageTable | null;
}

/** The story that comes before the figures. The Markdown and the dashboard show the same. */
export interface Page {
  readonly title: string;
  readonly lead: readonly string[];
  /** The number of sections that tell the story. The others are its evidence. */
  readonly story: number;
  readonly sections: readonly Section[];
}

/** Stands in a table for a number that nobody measured or printed. */
export const NONE = "–";

/** Writes a share in percent, with a decimal below 10%. */
export function percent(share: number): string {
  return `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`;
}

/** Makes a table whose columns from `first` on hold numbers. */
export function tableOf(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  first: number,
): PageTable {
  return { columns, rows, numbers: columns.map((_, i) => i).filter((i) => i >= first) };
}
