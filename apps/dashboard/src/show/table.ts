import { html, type TemplateResult } from "lit-html";

export type Cell = string | number | TemplateResult;

export interface TableOptions {
  readonly caption?: string;
  /** Indices of columns that hold numbers, which are right-aligned. */
  readonly numbers?: readonly number[];
}

/** Draws a table whose first column names its rows. It scrolls sideways if it is too wide. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  { caption, numbers = [] }: TableOptions = {},
): TemplateResult {
  const kind = (column: number) => (numbers.includes(column) ? "number" : "");
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption ?? "Table"}>
    <table>
      ${caption === undefined ? null : html`<caption>${caption}</caption>`}
      <thead><tr>${columns.map((name, i) => html`<th scope="col" class=${kind(i)}>${name}</th>`)}</tr></thead>
      <tbody>${rows.map(
        (row) =>
          html`<tr>${row.map((cell, i) =>
            i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${kind(i)}>${cell}</td>`,
          )}</tr>`,
      )}</tbody>
    </table>
  </div>`;
}
