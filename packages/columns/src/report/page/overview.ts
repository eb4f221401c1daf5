import type { ColumnJson, ProfileJson } from "../../profile/index.ts";
import type { Finding } from "../findings.ts";
import { type Html, html } from "../text/html.ts";
import { bytes, duration, percent, plural, short, whole } from "../text/numbers.ts";
import { plainName, shown, visible } from "../text/visible.ts";
import { MOST_FILES, MOST_FINDINGS } from "./limits.ts";
import { badgeOf, nameOf } from "./name.ts";

const NAME = 200;
const LABEL = 60;
/** Findings that are shown at once. The rest is behind a disclosure. */
const AT_ONCE = 10;

/** The size of the profiled files. Null if one of them came as a stream. */
function sizeOf({ files }: ProfileJson): number | null {
  return files.reduce<number | null>(
    (sum, file) => (sum === null || file.bytes === null ? null : sum + file.bytes),
    0,
  );
}

/** The figures of the whole profile. */
export function tiles(profile: ProfileJson): Html {
  const { files, rows, sample, columns, timings } = profile;
  const size = sizeOf(profile);
  const known = columns.filter(({ nulls }) => nulls !== null);
  const cells = known.reduce((sum, column) => sum + column.rows, 0);
  const nulls = known.reduce((sum, column) => sum + column.nulls!, 0);
  const tile = (figure: string, words: string) =>
    html`<li><strong>${figure}</strong> <span>${words}</span></li>`;
  const seconds = timings.totalMs / 1000;
  const rate = seconds > 0 && rows > 0 ? `, ${short(rows / seconds)} rows/s` : "";
  return html`<ul class="tiles">${[
    tile(
      whole(rows),
      sample === undefined ? (rows === 1 ? "row" : "rows") : `of ${plural(sample.of, "row")}, a sample`,
    ),
    tile(whole(columns.length), columns.length === 1 ? "column" : "columns"),
    files.length > 1 && tile(whole(files.length), "files"),
    size !== null &&
      tile(bytes(size), files.length === 1 ? `of ${visible(files[0]!.format)}` : "in all files"),
    tile(percent(nulls, cells), "of all cells are null"),
    tile(
      duration(timings.totalMs),
      `${profile.passes === 1 ? "one pass" : `${profile.passes} passes`}${rate}`,
    ),
  ]}</ul>`;
}

/** The files, if there are several. */
export function fileList({ files }: ProfileJson): Html | null {
  if (files.length < 2) return null;
  return html`<details><summary>${plural(files.length, "file")}</summary><table><thead><tr><th scope="col">File</th><th scope="col">Format</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Size</th></tr></thead><tbody>${files
    .slice(0, MOST_FILES)
    .map(
      (file) =>
        html`<tr><th scope="row">${shown(file.name, NAME, "(no name)")}</th><td>${file.format}</td><td class="number">${whole(file.rows)}</td><td class="number">${file.bytes === null ? "" : bytes(file.bytes)}</td></tr>`,
    )}</tbody></table>${files.length > MOST_FILES && html`<p class="quiet">${whole(files.length - MOST_FILES)} more.</p>`}</details>`;
}

/** The findings, warnings first. */
export function findingList(found: readonly Finding[], columns: readonly ColumnJson[]): Html | null {
  if (found.length === 0) return null;
  const ordered = [...found].sort((a, b) => Number(a.level === "note") - Number(b.level === "note"));
  const item = (finding: Finding) => {
    const { column, text } = finding;
    const says = html`<span>${badgeOf(finding)} ${text}</span>`;
    if (column === null) return html`<li class="all">${says}</li>`;
    return html`<li>${nameOf(column, html`<bdi>${plainName(columns[column]!.name, LABEL)}</bdi>`)}${says}</li>`;
  };
  const rest = ordered.slice(AT_ONCE, MOST_FINDINGS);
  const unlisted = ordered.length - AT_ONCE - rest.length;
  return html`<section aria-labelledby="found"><h2 id="found">What stands out</h2><ul class="found">${ordered.slice(0, AT_ONCE).map(item)}</ul>${
    rest.length > 0 &&
    html`<details><summary>${whole(ordered.length - AT_ONCE)} more</summary><ul class="found">${rest.map(item)}</ul>${unlisted > 0 && html`<p class="quiet">${whole(unlisted)} more are not listed.</p>`}</details>`
  }</section>`;
}
