import { html } from "lit-html";
import { absent, table, type View } from "../show/index.ts";

/** All result files: machine, commit, what is missing in them; and the conformance runs. */
export const files: View = {
  id: "explore/files",
  title: "Files",
  timing: "Files hold the times of kernels and of whole calls.",
  about: "The result files behind these views, what they lack and why, and how the conformance suite ended.",
  reads: "any machine",
  basis: null,
  render({ files: all }) {
    if (all.length === 0) return absent("No result file exists for this machine.");
    const checked = all.filter(({ conformance }) => conformance !== null);
    const missing = all.filter((file) => file.missing.length > 0);
    return html`${table(
      ["file", "kind", "commit", "date", "rows"],
      all.map(({ path, kind, commit, date, rows }) => [
        html`<a href=${`data/${path}.json`}>${path}</a>`,
        kind,
        commit?.slice(0, 7) ?? "–",
        date?.slice(0, 10) ?? "–",
        rows,
      ]),
      { caption: `${all.length} files`, numbers: [4] },
    )}
      <h2>Conformance</h2>
      ${
        checked.length === 0
          ? absent("These files contain no conformance run.")
          : table(
              ["file", "device", "passed", "failed", "skipped"],
              checked.map(({ path, conformance }) => [
                path,
                conformance!.device,
                conformance!.passed,
                conformance!.failed,
                conformance!.skipped,
              ]),
              { numbers: [2, 3, 4] },
            )
      }
      <h2>Missing results, and why</h2>
      ${
        missing.length === 0
          ? html`<p>Nothing is missing.</p>`
          : missing.map(
              ({ path, missing: sentences }) =>
                html`<details><summary>${path} (${sentences.length})</summary>
                  <ul class="sentences">${sentences.map((line) => html`<li>${line}</li>`)}</ul></details>`,
            )
      }`;
  },
};
