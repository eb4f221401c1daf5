import { byChange, type ColumnChangeJson, type ComparisonJson, eventOf } from "../../compare/index.ts";
import type { ProfileJson } from "../../profile/index.ts";
import { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { plural, whole } from "../text/numbers.ts";
import { clipped, plainName, shown, visible } from "../text/visible.ts";
import { changeCard, distanceText } from "./change.ts";
import { documentOf } from "./document.ts";
import { MOST_CARDS, MOST_LISTED } from "./limits.ts";
import { nameOf } from "./name.ts";
import { type Heading, titleOf, whenText } from "./page.ts";

const TITLE = 60;
const NAME = 120;

/** The page of a comparison as text. */
export async function comparisonPage(
  comparison: ComparisonJson,
  heading: Heading,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { a, b } = comparison;
  const columns = byChange(comparison);
  const plotter = new Plotter();
  const cards: Html[] = [];
  for (const [i, change] of columns.slice(0, MOST_CARDS).entries()) {
    signal?.throwIfAborted();
    cards.push(await changeCard(plotter, change, comparison, i));
  }
  const [before, after] = [a, b].map((profile) => plainName(titleOf(profile), TITLE));
  return documentOf({
    title: plainName(heading.title ?? `${before} to ${after}`, 2 * TITLE),
    kind: "comparison",
    subtitle: `What changed in every column${whenText(heading)}`,
    header: tiles(comparison),
    main: html`<section aria-labelledby="columns"><h2 id="columns" tabindex="-1">Columns</h2>${legend(before!, after!)}${list(columns, comparison)}</section>
<section aria-labelledby="details"><h2 id="details">Each column</h2>${cards}</section>`,
    footer: `Counted exactly by polybin on ${visible(a.backend)} (${visible(a.device)}).`,
  });
}

function tiles(comparison: ComparisonJson): Html {
  const { a, b, columns } = comparison;
  const kinds = columns.map((change) => eventOf(change, comparison));
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  const tile = (figure: string, words: string) =>
    html`<li><strong>${figure}</strong> <span>${words}</span></li>`;
  const moved = columns.filter(({ distance }) => (distance?.value ?? 0) > 0).length;
  const size = ({ rows }: ProfileJson): string => whole(rows);
  return html`<ul class="tiles">${[
    tile(`${size(a)} to ${size(b)}`, "rows"),
    tile(whole(columns.length), columns.length === 1 ? "column" : "columns"),
    tile(whole(moved), "with other values"),
    count("new") > 0 && tile(whole(count("new")), "new"),
    count("gone") > 0 && tile(whole(count("gone")), "gone"),
    count("other type") > 0 && tile(whole(count("other type")), "with another type"),
  ]}</ul>`;
}

function legend(before: string, after: string): Html {
  return html`<p class="small quiet"><span class="side a"></span> <bdi>${before}</bdi> <span class="side b"></span> <bdi>${after}</bdi></p><p class="small quiet">The distance is 0 for equal distributions and 1 for those without a common value: Kolmogorov–Smirnov for numbers and times, total variation for text and booleans.</p>`;
}

function list(columns: readonly ColumnChangeJson[], comparison: ComparisonJson): Html {
  const { a, b } = comparison;
  const row = (change: ColumnChangeJson, i: number): Html => {
    const [x, y] = [a.columns[change.a ?? -1], b.columns[change.b ?? -1]];
    const kind = eventOf(change, comparison);
    const type = [...new Set([x, y].filter((one) => one !== undefined).map((one) => visible(one.type)))];
    const value = change.distance?.value ?? null;
    const warned = kind !== null && " warned";
    return html`
<tr data-card="c${i}" data-index="${i}" data-name="${clipped(visible(change.name), NAME).text}" data-type="${type.join(" ")}" data-kind="${(y ?? x)!.logical.kind}${warned}" data-notes="${kind ?? ""}" data-distance="${value ?? ""}"><td class="quiet narrow">${i + 1}</td><th scope="row">${nameOf(i, shown(change.name, NAME, "(no name)"))}<span class="marks"><span class="type">${type.join(" to ")}</span>${kind !== null && html`<span class="badge warning">${kind}</span>`}</span></th><td class="number">${distanceText(change)}</td><td>${value !== null && bar(value)}</td></tr>`;
  };
  return html`
<div class="search" hidden>
<label>Search names, types and changes<input type="search" autocomplete="off" spellcheck="false"></label>
<label>Show<select><option value="">All columns</option><option value="warned">New, gone, or of another type</option></select></label>
<output></output>
</div>
<table id="list">
<caption class="skip">All columns, those that changed most first. Buttons in the headings sort them.</caption>
<thead><tr><th scope="col" class="c-i narrow" data-by="index" aria-sort="ascending">#</th><th scope="col" data-by="name">Column</th><th scope="col" class="c-value number" data-by="distance">Distance</th><th scope="col" class="c-shape"><span class="skip">Bar</span></th></tr></thead>
<tbody>${columns.slice(0, MOST_LISTED).map(row)}</tbody>
</table>${columns.length > MOST_LISTED && html`<p>The list has the first ${whole(MOST_LISTED)} of ${plural(columns.length, "column")}.</p>`}`;
}

function bar(share: number): Html {
  const width = Math.round(share * 1000) / 10;
  return html`<svg class="meter" aria-hidden="true"><rect width="100%" height="100%"/><rect width="${width}%" height="100%"/></svg>`;
}
