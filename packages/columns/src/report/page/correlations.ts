import {
  type CorrelationsJson,
  type MissingJson,
  nullsTogether,
  type ProfileJson,
  strongest,
} from "../../profile/index.ts";
import { matrixSpec } from "../plots/matrix.ts";
import type { Plotter } from "../plots/svg.ts";
import { type Html, html } from "../text/html.ts";
import { fixed, percent, whole } from "../text/numbers.ts";
import { shown } from "../text/visible.ts";

/** A matrix of few columns is drawn smaller than its room. */
const FEW = 8;
/** Pairs that a table lists. */
const MOST = 12;
const NAME = 40;
const DIGITS = 2;

/** Heat maps of correlations, the strongest pairs, and columns that are null together. */
export async function correlations(plotter: Plotter, profile: ProfileJson): Promise<Html | null> {
  const { correlations: found, missing } = profile;
  if (found === undefined && missing === undefined) return null;
  return html`<section aria-labelledby="together"><h2 id="together">Columns together</h2>${[
    found !== undefined && (await maps(plotter, found)),
    missing !== undefined && nulls(missing, profile),
  ]}</section>`;
}

async function maps(plotter: Plotter, found: CorrelationsJson): Promise<Html> {
  const { columns, pearson, spearman, mutualInformation } = found;
  const label = `of ${columns.length} columns`;
  const size = columns.length <= FEW ? "matrix few" : "matrix";
  const more = async (name: string, values: CorrelationsJson["pearson"], lo: -1 | 0): Promise<Html> =>
    html`<details><summary>${name}</summary><figure class="${size}">${await plotter.draw(matrixSpec(columns, values, lo), `${name} ${label}`)}</figure></details>`;
  return html`<article class="card"><header><h3>Correlations</h3></header><div class="columns words"><div><figure class="${size}">${await plotter.draw(matrixSpec(columns, pearson, -1), `Pearson's correlations ${label}`)}<figcaption>Pearson’s correlations, over the rows in which both values are finite.</figcaption></figure>${await more("Spearman’s rank correlations", spearman, -1)}${await more("Mutual information, as a share of the most that a pair has", sharesOf(mutualInformation), 0)}</div>${strongPairs(found)}</div></article>`;
}

/** Mutual information over the largest of all pairs. */
function sharesOf(information: CorrelationsJson["mutualInformation"]): CorrelationsJson["mutualInformation"] {
  const most = Math.max(...information.flat().map((value) => value ?? 0));
  return information.map((row) => row.map((value) => (value === null || most === 0 ? null : value / most)));
}

function strongPairs(found: CorrelationsJson): Html {
  const number = (value: number | null): string => (value === null ? "" : fixed(value, DIGITS));
  const pairs = strongest(found).slice(0, MOST);
  return html`<table><caption class="skip">The strongest correlations</caption><thead><tr><th scope="col">Columns</th><th scope="col" class="number">Pearson</th><th scope="col" class="number">Spearman</th><th scope="col" class="number">Nats</th></tr></thead><tbody>${pairs.map(
    ({ x, y, pearson, spearman, mutualInformation }) =>
      html`<tr><th scope="row">${shown(x, NAME, "(no name)")}, ${shown(y, NAME, "(no name)")}</th><td class="number">${number(pearson)}</td><td class="number">${number(spearman)}</td><td class="number">${number(mutualInformation)}</td></tr>`,
  )}</tbody></table>`;
}

function nulls(missing: MissingJson, { columns }: ProfileJson): Html | null {
  const pairs = nullsTogether(missing, columns).slice(0, MOST);
  if (pairs.length === 0) return null;
  return html`<article class="card"><header><h3>Null together</h3></header><table><caption class="skip">Columns that are null in the same rows</caption><thead><tr><th scope="col">Columns</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Share of the rarer nulls</th></tr></thead><tbody>${pairs.map(
    ({ x, y, both, share }) =>
      html`<tr><th scope="row">${shown(x, NAME, "(no name)")}, ${shown(y, NAME, "(no name)")}</th><td class="number">${whole(both)}</td><td class="number">${percent(share, 1)}</td></tr>`,
  )}</tbody></table></article>`;
}
