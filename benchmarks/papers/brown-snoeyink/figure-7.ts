import { atomicsCombine, moreWarps, tagInstructions } from "../causes.ts";
import { claimOf } from "../data.ts";
import type { Measured } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { because, ratio, ratios, relative, rule } from "../readings/index.ts";
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

/** The paper's methods on RGBA, and on a grey picture of as many bytes, which is the control. */
const alpha = (measured: Measured): Point[] => {
  const side = SIDES.at(-1)!;
  const at = (distribution: string, bytes: number, x: string) =>
    bySide(measured, distribution, bytes)
      .filter((point) => Number(point.x) ** 2 * bytes === side ** 2)
      .map((point) => ({ ...point, x }));
  return [...at("picture", 1, GREY), ...at(RGBA, 4, WITH_ALPHA)];
};
const [GREY, WITH_ALPHA] = ["grey", "RGBA, alpha 0"] as const;

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

/** Points of the given pictures, by picture and side. */
const named = (measured: Measured, from = 0): Point[] =>
  measured.rows("pictures").flatMap((row) => {
    const side = Math.sqrt(row.n);
    return side < from
      ? []
      : byLength([row], () => side).map((point) => ({ ...point, x: `${row.distribution}, ${side}` }));
  });

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
    panel("picture", "Throughput by side, a generated picture's green plane", (measured) =>
      bySide(measured, "picture", 1),
    ),
    panel("rgba", "The same as RGBA, alpha 0", (measured) => bySide(measured, RGBA, 4)),
    {
      ...panel("alpha", "Influence of the alpha: pictures of 16,777,216 bytes", alpha),
      mark: "bar",
      x: { label: "pixels", scale: "category" },
      wanted: THEIRS.flatMap((series) => [GREY, WITH_ALPHA].map((x) => ({ series, x }))),
    },
    ...[
      { id: "photographs", title: "Throughput by photograph and side, in pixels", from: 0 },
      { id: "large", title: `The same from ${NUGTEREN_FROM} pixels on`, from: NUGTEREN_FROM },
    ].map(({ id: name, title, from }) => ({
      ...panel(name, title, (measured) => named(measured, from)),
      mark: "bar" as const,
      x: { label: "photograph, side", scale: "category" as const },
      wanted: [],
      command: "run bench pictures --pictures DIR",
    })),
  ],
  rules: [
    ...[
      { of: "photographs", large: "large", what: "photographs", places: {} },
      { of: "picture", large: "picture", what: "the generated picture", places: { from: NUGTEREN_FROM } },
    ].flatMap(({ of, large, what, places }) => [
      because(
        rule(
          of,
          `TRISH over Podlozhnyuk, at least, ${what}`,
          "6.1",
          ratios("least", "TRISH", "Podlozhnyuk"),
          claim("least over Podlozhnyuk"),
        ),
        atomicsCombine,
      ),
      because(
        rule(
          of,
          `TRISH over Podlozhnyuk, at most, ${what}`,
          "6.1",
          ratios("most", "TRISH", "Podlozhnyuk"),
          claim("most over Podlozhnyuk"),
        ),
        atomicsCombine,
      ),
      because(
        rule(
          large,
          `TRISH over Nugteren, at least, ${what}`,
          "6.1",
          ratios("least", "TRISH", "Nugteren", places),
          claim("least over Nugteren"),
        ),
        moreWarps,
      ),
      because(
        rule(
          large,
          `TRISH over Nugteren, at most, ${what}`,
          "6.1",
          ratios("most", "TRISH", "Nugteren", places),
          claim("most over Nugteren"),
        ),
        moreWarps,
      ),
    ]),
    because(
      rule(
        "picture",
        "Nugteren's own claim: his method over Podlozhnyuk's tag on 2048 x 2048 pixels",
        "4.2",
        ratio({ series: "Nugteren", x: NUGTEREN_FROM }, { series: "Podlozhnyuk, tag", x: NUGTEREN_FROM }),
        1 + claim("Nugteren over Podlozhnyuk, %") / 100,
      ),
      tagInstructions,
    ),
    because(
      rule(
        "alpha",
        "An alpha of 0 slows Podlozhnyuk's method down, with TRISH as the control",
        "6.1",
        relative("Podlozhnyuk", "TRISH", WITH_ALPHA, GREY),
        { side: "below 1" },
        "negatively impacts",
      ),
      atomicsCombine,
    ),
  ],
  notes: [
    "The paper itself sets the RGBA picture aside, because its alpha penalises Podlozhnyuk's method. The control shows whether it does: a grey picture with the same number of bytes, and TRISH, which does not depend on the data.",
    "Lena, Raft and MRI may not be redistributed. A picture that a program generated, the command's sample, takes their place. It is tiled to the five sides as in the paper. `papers --picture FOLDER` adds photographs.",
  ],
};
