import { html, type TemplateResult } from "lit-html";
import { addressOf, nameOf, type Row, sizeOf } from "../data/index.ts";

/** Links to the view of one cell's raw runs. */
export function cellLink(row: Row): TemplateResult {
  const address = addressOf("explore/cell", {
    machine: row.file.folder,
    file: row.file.path,
    row: String(row.at),
  });
  const what = `${nameOf(row)}, ${row.distribution}, ${sizeOf(row.n)}`;
  return html`<a href=${address} aria-label=${`The runs of ${what}`}>runs</a>`;
}
