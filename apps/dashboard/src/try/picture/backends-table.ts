import { html, type TemplateResult } from "lit-html";
import { serverState } from "../server/server.ts";
import { serverNote } from "../server/server-note.ts";
import { isCounted } from "./counted.ts";
import { type Outcome, referenceOf, type Verdict, verdict } from "./outcomes.ts";
import type { Pixels } from "./pixels.ts";

const COLUMNS: readonly string[] = [
  "backend",
  "counts",
  "best ms",
  "million pixels/s",
  "first ms",
  "device or reason",
  "algorithm",
];
const NUMBERS: readonly number[] = [2, 3, 4];

/** Draws the results of all backends, with times. */
export function backendsTable({ width, height }: Pixels, outcomes: readonly Outcome[]): TemplateResult {
  const reference = referenceOf(outcomes);
  const rows = outcomes.map(({ where, result }) => {
    const name = `${result.backend} (${where})`;
    if (!isCounted(result)) return [name, "–", "–", "–", "–", result.reason, ""];
    const best = Math.min(...result.ms);
    const speed = figure((width * height) / best / 1000);
    return [
      name,
      words(verdict(result, reference)),
      figure(best),
      speed,
      figure(result.ms[0]!),
      result.device,
      result.algorithm,
    ];
  });
  const kind = (column: number) => (NUMBERS.includes(column) ? "number" : "");
  return html`${serverState().kind === "away" ? null : serverNote()}<div class="scroll" tabindex="0" role="group" aria-label="Backends"><table>
      <caption>${width} x ${height} pixels, every channel, time of the whole call, best of three</caption>
      <thead><tr>${COLUMNS.map((name, i) => html`<th scope="col" class=${kind(i)}>${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i === 0 ? html`<th scope="row">${cell}</th>` : html`<td class=${kind(i)}>${cell}</td>`))}</tr>`)}</tbody>
    </table></div>`;
}

const words = (found: Verdict): string | TemplateResult =>
  typeof found === "string" ? found : html`<strong class="bad">${found.differ} counts differ</strong>`;

const figure = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 });
