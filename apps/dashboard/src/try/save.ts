import { html, type TemplateResult } from "lit-html";
import { saveCsv } from "../show/index.ts";

/** The most rows that a page shows in a table. A file has them all. */
const MOST_ROWS = 1024;

/** Numbers below a plot: one row per bin, and one column per series. */
export interface Values {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Number of rows. */
  readonly length: number;
  /** The cells of a row. */
  row(at: number): readonly (number | string)[];
}

/** Draws the values of a plot as a table, and a button that saves them as CSV. The table is drawn once it is opened. */
export function values(of: Values, isOpen: boolean, redraw: () => void): TemplateResult {
  const rows = isOpen ? Array.from({ length: Math.min(of.length, MOST_ROWS) }, (_, at) => of.row(at)) : [];
  return html`<details id="values" .open=${isOpen} @toggle=${redraw}><summary>Values (${of.length.toLocaleString("en")})</summary>
    <button id="save" type="button" @click=${() => save(of)}>Save as CSV</button>
    <div class="scroll tall" tabindex="0" role="group" aria-label="Values"><table>
      ${of.length > MOST_ROWS ? html`<caption>The first ${MOST_ROWS.toLocaleString("en")} rows. The file has all.</caption>` : null}
      <thead><tr>${of.columns.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i === 0 ? html`<th scope="row" class="number">${textOf(cell, true)}</th>` : html`<td class="number">${textOf(cell, false)}</td>`))}</tr>`)}</tbody>
    </table></div></details>`;
}

/** A cell: the first of a row names it, and has fewer digits. */
function textOf(cell: number | string, isFirst: boolean): string {
  if (typeof cell === "string") return cell;
  return isFirst
    ? cell.toLocaleString("en", { maximumSignificantDigits: 7, useGrouping: false })
    : cell.toLocaleString("en", { maximumSignificantDigits: 12 });
}

function save({ name, columns, length, row }: Values): void {
  const rows = Array.from({ length }, (_, at) => row(at));
  saveCsv(name, columns, rows);
}
