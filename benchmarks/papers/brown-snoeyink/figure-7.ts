import { claimOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { ratioSide, ratios, rule } from "../readings/index.ts";
import { byLength, THEIRS } from "./rows.ts";

const [paper, id] = ["brown-snoeyink", "figure-7"] as const;
const SIDES = [256, 512, 1024, 2048, 4096];
const RGBA = "picture, RGBA with an alpha of 0";
/** Nugteren's program takes pictures of 2048 x 2048 and multiples, so the paper's factors over it refer to those. */
const NUGTEREN_FROM = 2048;

const bySide = (measured: Measured, distribution: string, bytes: number): Point[] =>
  byLength(
    measured.rows("figure6").filter((row) => row.distribution === distribution),
    ({ n }) => Math.sqrt(n / bytes),
  );

const panel = (name: string, title: string, ours: Panel["ours"]): Panel => ({
  id: name,
  title,
  mark: "line",
  x: { label: "side, pixels", scale: "log" },
  y: { label: "GB/s", scale: "log" },
  paper: [],
  wanted: THEIRS.flatMap((series) => SIDES.map((x) => ({ series, x }))),
  ours,
});

/** Points of the user's own pictures, `picture NAME`. */
const named = (measured: Measured): Point[] =>
  [...new Set(measured.rows("pictures").map(({ distribution }) => distribution))].flatMap((name) =>
    measured
      .rows("pictures")
      .filter(({ distribution }) => distribution === name)
      .flatMap((row) => byLength([row], ({ n }) => Math.sqrt(n)))
      .map((point) => ({ ...point, series: `${point.series}, ${name}` })),
  );

const claim = (name: string) => claimOf(paper, id, name);

export const figure7: Figure = {
  paper,
  id,
  title: "Figure 7: pictures",
  source: "6.1 and Figure 7",
  lost: "all points. The text gives the lowest and the highest factor of TRISH over the other methods",
  needs: "gpu",
  command: "run bench figure6",
  panels: [
    panel("picture", "Throughput by side, the sample picture's green plane", (measured) =>
      bySide(measured, "picture", 1),
    ),
    panel("rgba", "The same as RGBA, alpha 0", (measured) => bySide(measured, RGBA, 4)),
    { ...panel("named", "Pictures given with --picture", named), wanted: [] },
  ],
  rules: [
    rule(
      "picture",
      "TRISH over Podlozhnyuk, at least",
      "6.1",
      ratios("least", "TRISH", "Podlozhnyuk"),
      claim("least over Podlozhnyuk"),
    ),
    rule(
      "picture",
      "TRISH over Podlozhnyuk, at most",
      "6.1",
      ratios("most", "TRISH", "Podlozhnyuk"),
      claim("most over Podlozhnyuk"),
    ),
    rule(
      "picture",
      "TRISH over Nugteren, at least",
      "6.1",
      ratios("least", "TRISH", "Nugteren", NUGTEREN_FROM),
      claim("least over Nugteren"),
    ),
    rule(
      "picture",
      "TRISH over Nugteren, at most",
      "6.1",
      ratios("most", "TRISH", "Nugteren", NUGTEREN_FROM),
      claim("most over Nugteren"),
    ),
    rule(
      "rgba",
      "An alpha of 0 causes collisions in Podlozhnyuk's method: TRISH over Podlozhnyuk, at 4096",
      "6.1",
      ratioSide({ series: "TRISH", x: 4096 }, { series: "Podlozhnyuk", x: 4096 }),
      { side: "above 1" },
      "faster",
    ),
  ],
  notes: [
    "Lena, Raft and MRI may not be redistributed. The command's sample picture takes their place, tiled to the five sides as in the paper. `papers --picture FILE` adds any other picture.",
  ],
};
