import { dot, pointer, ruleX, ruleY, tip } from "@observablehq/plot";
import type { TemplateResult } from "lit-html";
import type { Row } from "../data/types.ts";
import { figure } from "../data/words.ts";
import { chart, isNarrow } from "../show/chart.ts";
import { namesOf } from "../show/names.ts";
import { cellLink } from "./cell-link.ts";
import type { Contestant } from "./groups.ts";
import { type Context, distinct } from "./view.ts";

interface SpreadOptions {
  readonly title: string;
  /** Unit of the speed. */
  readonly label: string;
  readonly speed: (row: Row) => number;
  /** A line to compare with. */
  readonly mark?: number;
  readonly log?: boolean;
}

/** Share of the width that names may take. */
const NAMES_SHARE = 0.4;
/** Width in pixels of a number on the axis, with some space. */
const TICK = 72;

/** Draws one line per contestant, from its slowest to its fastest distribution, with a symbol for each distribution. */
export function spreadChart(
  { width }: Context,
  shown: readonly Contestant[],
  { title, label, speed, mark, log = false }: SpreadOptions,
): TemplateResult {
  const points = shown.flatMap(({ name, rows }) =>
    rows.map((row) => ({ name, row, at: speed(row), on: row.distribution })),
  );
  const names = distinct(points.map(({ on }) => on)).sort();
  const narrow = isNarrow(width);
  const labels = shown.map(({ name }) => name);
  const { marks, marginLeft, lineHeight } = namesOf(labels, narrow, Math.floor(width * NAMES_SHARE));
  return chart({
    title,
    width,
    series: names,
    options: {
      height: 60 + shown.length * lineHeight,
      marginLeft,
      marginRight: 24,
      x: {
        label,
        grid: true,
        nice: true,
        ...(log ? { type: "log" } : { zero: true }),
        tickFormat: figure,
        ticks: Math.min(8, Math.floor((width - marginLeft) / TICK)),
      },
      y: { domain: labels, label: null, axis: null },
      marks: [
        ...marks,
        ...(mark === undefined ? [] : [ruleX([mark], { stroke: "currentColor", strokeDasharray: "4 3" })]),
        ruleY(shown, {
          y: "name",
          x1: ({ rows }: Contestant) => speed(rows[0]!),
          x2: ({ rows }: Contestant) => speed(rows.at(-1)!),
          stroke: "var(--quiet)",
        }),
        dot(points, { x: "at", y: "name", stroke: "on", fill: "on", symbol: "on", r: 3.5 }),
        tip(
          points,
          pointer({
            x: "at",
            y: "name",
            title: (d: (typeof points)[number]) => `${d.name}\n${d.on}: ${figure(d.at)} ${label}`,
          }),
        ),
      ],
    },
    columns: ["contestant", "distribution", label, "runs"],
    numbers: [2],
    rows: points.map(({ name, on, at, row }) => [name, on, figure(at), cellLink(row)]),
  });
}
