import type { ColumnJson } from "../../profile/index.ts";
import { Html, html } from "../text/html.ts";
import { percent, plural, whole } from "../text/numbers.ts";
import { valueText } from "../text/values.ts";
import { shown } from "../text/visible.ts";

const MOST = 12;
/** If even the most frequent value has a smaller share, few values are listed. */
const RARE = 0.01;
const MOST_RARE = 4;
const VALUE = 200;

/** The most frequent values with bars. */
export function topTable(column: ColumnJson): Html | null {
  const { top, topExact, topBound, rows, nulls, logical, distinct } = column;
  if (logical.kind === "boolean" || top.length === 0) return null;
  const all = rows - (nulls ?? 0);
  const most = top[0]!.count;
  const shownTop = top.slice(0, most < RARE * all ? MOST_RARE : MOST);
  const rest = all - shownTop.reduce((sum, { count }) => sum + count, 0);
  const others = distinct?.exact === true ? distinct.value - shownTop.length : null;
  return html`<div><table class="top"><caption class="skip">The most frequent values</caption><thead><tr><th scope="col">Value</th><th scope="col" class="c-bar"><span class="skip">Bar</span></th><th scope="col" class="c-count number">Rows</th><th scope="col" class="c-share number">Share</th></tr></thead><tbody>${shownTop.map(
    ({ value, count, clipped }) =>
      html`<tr><th scope="row">${shown(valueText(value, logical), VALUE, "(empty)", clipped === true)}</th><td>${meter(count / most)}</td><td class="number">${whole(count)}</td><td class="number">${percent(count, all)}</td></tr>`,
  )}${
    rest > 0 &&
    html`<tr class="quiet"><th scope="row">${others === null || others <= 0 ? "all others" : plural(others, "other")}</th><td></td><td class="number">${whole(rest)}</td><td class="number">${percent(rest, all)}</td></tr>`
  }</tbody></table>${
    !topExact &&
    topBound !== null &&
    html`<p class="small quiet">No value that is not listed occurs more than ${times(topBound)}.</p>`
  }</div>`;
}

/** How often something happens at most. */
export const times = (count: number): string => (count === 1 ? "once" : `${whole(count)} times`);

/** A bar as long as a share of the most frequent value. */
function meter(share: number): Html {
  const width = Math.max(1, Math.round(share * 1000) / 10);
  return new Html(
    `<svg class="meter" aria-hidden="true"><rect width="100%" height="100%"/><rect width="${width}%" height="100%"/></svg>`,
  );
}
