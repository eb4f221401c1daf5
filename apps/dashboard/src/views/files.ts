import { html } from "lit-html";
import type { FileEntry } from "../data/index.ts";
import { absent, table, type View } from "../show/index.ts";

/** The content of a kind of file, in words. */
const KINDS: Readonly<Record<FileEntry["kind"], string>> = {
  rows: "times",
  notes: "other measurements",
  conformance: "conformance",
  papers: "figures of papers",
};

/** All result files: machine, commit, what is missing in them; and the conformance runs. */
export const files: View = {
  id: "explore/files",
  title: "Files",
  question: "Which files are behind these views, and what do they lack?",
  timing: "Files hold the times of kernels and of whole calls.",
  about:
    "Every result file that is committed, the last measured first. A cell that a file lacks is listed with its reason. The conformance suite compares every count of a backend with core's.",
  reads: "any machine",
  basis: null,
  render({ files: all }) {
    if (all.length === 0) return absent("No result file exists for this machine.");
    const checked = all.filter(({ conformance }) => conformance !== null);
    const missing = all.filter((file) => file.missing.length > 0);
    return html`${table(
      ["file", "holds", "commit", "date", "cells"],
      all.map(({ path, kind, commit, date, rows }) => [
        html`<a href=${`data/${path}.json`}>${path}</a>`,
        KINDS[kind],
        commit?.slice(0, 7) ?? "–",
        html`<span class="whole">${date?.slice(0, 10) ?? "–"}</span>`,
        rows.toLocaleString("en"),
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
                conformance!.passed.toLocaleString("en"),
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
