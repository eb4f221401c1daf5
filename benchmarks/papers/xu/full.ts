import type { Weighted } from "../../src/runner/row.ts";
import { claimOf } from "../data.ts";
import type { Figure } from "../model.ts";
import { because, fullFrom, rule, trend } from "../readings/index.ts";
import { blocksOf } from "./causes.ts";
import { asInPaper, pointsOf, SHAPE } from "./rows.ts";

const series = "collision-free";

/** Makes Figures 5 and 6: the amount of work that fills the device. */
export function fullFigure(of: {
  readonly id: "figure-5" | "figure-6";
  readonly title: string;
  readonly panel: string;
  readonly label: string;
  readonly places: readonly number[];
  readonly claim: string;
  of(weighted: Weighted): number;
}): Figure {
  const number = of.id === "figure-5" ? "Figure 5" : "Figure 6";
  const full = claimOf("xu", of.id, "full from") * 1000;
  return {
    paper: "xu",
    id: of.id,
    title: of.title,
    source: `6.1.1 and ${number}`,
    lost: "all points. The text states where the pipeline becomes full",
    needs: "gpu",
    command: "run bench weighted-shapes",
    panels: [
      {
        id: of.label,
        title: of.panel,
        mark: "line",
        x: { label: of.label, scale: "log" },
        y: { label: "GB/s of values", scale: "linear" },
        paper: [],
        wanted: of.places.map((x) => ({ series, x })),
        ours: (measured) => pointsOf(asInPaper(measured.sums(number)), ({ weighted }) => of.of(weighted)),
      },
    ],
    rules: [
      because(rule(of.label, of.claim, "6.1.1", fullFrom(series), full), blocksOf(number)),
      rule(of.label, `More ${of.label} are faster`, number, trend(series), "rises"),
    ],
    notes: [SHAPE],
  };
}
