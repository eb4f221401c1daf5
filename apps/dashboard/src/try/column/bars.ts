import { html, svg, type TemplateResult } from "lit-html";
import type { ValueCounts } from "./messages.ts";
import { whole } from "./sentence.ts";

/** The most rows that the page shows. */
const MOST_ROWS = 30;
/** Units of a bar's drawing. */
const WIDTH = 100;

/** Draws a bar for each string or boolean, the most frequent first, and one row for all strings that are left. */
export function bars({ column, top, rows, distinct }: ValueCounts): TemplateResult {
  const shown = top.slice(0, MOST_ROWS);
  const most = Math.max(1, ...shown.map(([, count]) => count));
  const left = rows - shown.reduce((sum, [, count]) => sum + count, 0);
  const others = distinct - shown.length;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Counts"><table class="bars">
      <caption>${column}: values by frequency${others > 0 ? `, the first ${MOST_ROWS} of ${whole(distinct)}` : ""}</caption>
      <thead><tr><th scope="col">value</th><th scope="col" class="number">rows</th><th scope="col" class="number">share</th><td></td></tr></thead>
      <tbody>${shown.map(([text, count]) => row(text === "" ? "(empty)" : text, count, count / most, rows))}
      ${others > 0 ? row(`${whole(others)} others`, left, null, rows) : null}</tbody>
    </table></div>`;
}

/** @param part the length of the bar, from 0 to 1. Null: it has none, because it stands for several values */
function row(text: string, count: number, part: number | null, rows: number): TemplateResult {
  const share = rows === 0 ? 0 : (100 * count) / rows;
  return html`<tr><th scope="row" title=${text}>${text}</th><td class="number">${whole(count)}</td><td class="number">${share.toFixed(1)}%</td>
    <td class="bar-cell">${
      part === null
        ? null
        : html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">${svg`<rect width=${part * WIDTH} height="10" />`}</svg>`
    }</td></tr>`;
}
