import { html } from "lit-html";
import { absent } from "../show/chart.ts";
import type { View } from "./view.ts";

/** The first view. */
export const overview: View = {
  id: "overview",
  title: "Overview",
  about: "How fast this machine counts, next to other programs and to its memory.",
  reads: "one machine",
  basis: "kernel",
  render: ({ rows }) =>
    rows.length === 0
      ? absent("Nothing was measured on this machine at this commit.")
      : html`<p>Choose Explore for the plots.</p>`,
};
