import { html, type TemplateResult } from "lit-html";

/** Draws a tick or a cross that needs no font, next to words that say the same. */
export const sign = (
  good: boolean,
): TemplateResult => html`<svg class="sign" viewBox="0 0 12 12" aria-hidden="true">
  <path d=${good ? "M2,6.5L5,9.5L10,3" : "M2.5,2.5L9.5,9.5M9.5,2.5L2.5,9.5"} fill="none" stroke="currentColor" stroke-width="2" />
</svg>`;
