import type { CalendarJson, ColumnJson, LengthsJson } from "../../profile/index.ts";
import { namedBarsSpec } from "../plots/named-bars.ts";
import type { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { percent, whole } from "../text/numbers.ts";
import { plainName, shown } from "../text/visible.ts";

const LABEL = 60;
/** Patterns that a card lists, and the characters of one. */
const MOST_PATTERNS = 5;
const PATTERN = 70;
/** The most lengths with bars. */
const MOST_LENGTHS = 256;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

/** Points in time by the calendar, or the lengths and patterns of text. Null for all other columns. */
export async function shapes(plotter: Plotter, column: ColumnJson): Promise<Html | null> {
  const { calendar, lengths, patterns = [] } = column;
  const name = plainName(column.name, LABEL);
  if (calendar !== undefined) return byCalendar(plotter, calendar, name);
  if (lengths === undefined) return null;
  return html`<div class="shapes">${await lengthBars(plotter, lengths, name)}${patterns.length > 0 && patternTable(column)}</div>`;
}

async function byCalendar(
  plotter: Plotter,
  { weekdays, months, hours }: CalendarJson,
  name: string,
): Promise<Html> {
  const parts: readonly (readonly [string, readonly string[], readonly number[]])[] = [
    ["weekday", WEEKDAYS, weekdays],
    ["month", MONTHS, months],
    ...(hours === undefined ? [] : [["hour", HOURS, hours] as const]),
  ];
  const drawn: Html[] = [];
  for (const [word, names, counts] of parts) {
    drawn.push(
      html`<figure>${await plotter.draw(namedBarsSpec(names, counts), `${name} by ${word}`)}<figcaption>By ${word}${word === "hour" && ", in UTC"}.</figcaption></figure>`,
    );
  }
  return html`<div class="shapes">${drawn}</div>`;
}

/** A bar per length, from the shortest to the longest. */
async function lengthBars(
  plotter: Plotter,
  { counts, min, max }: LengthsJson,
  name: string,
): Promise<Html | null> {
  const first = Math.min(min, counts.length - 1);
  if (min === max || counts.length > MOST_LENGTHS) return null;
  const held = counts.slice(first);
  const names = held.map((_, i) => `${first + i}${max >= MOST_LENGTHS && i === held.length - 1 ? "+" : ""}`);
  return html`<figure>${await plotter.draw(namedBarsSpec(names, held), `Lengths of ${name}`)}<figcaption>By length in characters.</figcaption></figure>`;
}

function patternTable({ patterns = [], rows, nulls }: ColumnJson): Html {
  const all = rows - (nulls ?? 0);
  return html`<table><caption class="skip">The most frequent patterns: A and a for letters, 9 for digits</caption><thead><tr><th scope="col">Pattern</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Share</th></tr></thead><tbody>${patterns
    .slice(0, MOST_PATTERNS)
    .map(
      ({ pattern, count }) =>
        html`<tr><th scope="row"><code>${shown(pattern, PATTERN, "(empty)")}</code></th><td class="number">${whole(count)}</td><td class="number">${percent(count, all)}</td></tr>`,
    )}</tbody></table>`;
}
