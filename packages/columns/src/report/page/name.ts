import type { Finding } from "../findings.ts";
import { type Html, html } from "../text/html.ts";
import { MOST_CARDS } from "./limits.ts";

/** The name of a column, which leads to its details if the page has them. */
export function nameOf(column: number, name: Html): Html {
  return column < MOST_CARDS
    ? html`<a class="name" href="#c${column}">${name}</a>`
    : html`<span class="name">${name}</span>`;
}

/** The badges of a column's findings. */
export const badges = (notes: readonly Finding[]): readonly Html[] => notes.map(badgeOf);

/** Two or three words about a finding. */
export const badgeOf = ({ badge, level }: Finding): Html =>
  html`<span class="badge ${level}">${badge}</span>`;
