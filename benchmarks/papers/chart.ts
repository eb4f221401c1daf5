import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Evaluated, EvaluatedPanel } from "./evaluate.ts";
import type { Axis, Point } from "./model.ts";

/** Pixels of one plot. */
const SIZE = { width: 330, height: 200 } as const;
/** Colours that are told apart by eyes that do not see red or green, too (Okabe and Ito), then their darker kin. */
const COLOURS = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#e69f00",
  "#56b4e9",
  "#000000",
  "#7a6f00",
  "#8c4a2f",
  "#5b5ea6",
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
/** How far a logarithmic axis goes below its least bar. */
const BELOW = 0.6;

/** Does any of a figure's panels have something to draw? */
export function hasChart({ panels }: Evaluated): boolean {
  return panels.some(isDrawn);
}

function isDrawn({ mark, paper, ours }: EvaluatedPanel): boolean {
  return mark !== "none" && paper.length + ours.length > 0;
}

/**
 * A figure as an SVG document: a row for each panel, the paper's numbers on the left and ours on the right, each with an
 * axis of its own, since fourteen years lie between them. The same numbers give the same bytes.
 */
export async function chartOf(figure: Evaluated, paperMachine: string): Promise<string> {
  const drawn = figure.panels.filter(isDrawn);
  const series = [
    ...new Set(drawn.flatMap(({ paper, ours }) => [...paper, ...ours].map((point) => point.series))),
  ];
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    background: "white",
    padding: 12,
    config: CONFIG,
    spacing: 24,
    vconcat: drawn.map((panel) => ({
      title: { text: panel.title, anchor: "start", fontSize: 13, offset: 10 },
      spacing: 40,
      hconcat: [
        ...plotOf(panel, panel.paper, `the paper: ${paperMachine}`, series),
        ...plotOf(panel, panel.ours, `here: ${figure.machine}`, series),
      ],
    })),
  };
  // Vega numbers its clips and gradients through all documents of a process.
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compile(spec as unknown as TopLevelSpec).spec), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

const CONFIG = {
  font: "system-ui, sans-serif",
  axis: {
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
    gridColor: "#e6e6e6",
    labelColor: "#333",
  },
  legend: { labelFontSize: 11, title: null, orient: "bottom", columns: 4, labelLimit: 260, symbolSize: 70 },
  view: { stroke: "#ccc" },
};

function plotOf(
  panel: EvaluatedPanel,
  all: readonly Point[],
  title: string,
  series: readonly string[],
): object[] {
  const onLog = panel.y.scale === "log";
  // There is no 0 on a logarithmic axis; the table has it.
  const points = all.filter(({ y }) => !onLog || y > 0);
  if (points.length === 0) return [];
  const color = {
    field: "series",
    type: "nominal",
    sort: null,
    scale: { domain: series, range: series.map((_, i) => COLOURS[i % COLOURS.length]) },
    ...(series.length === 1 ? { legend: null } : {}),
  };
  const least = Math.min(...points.map(({ y }) => y)) * BELOW;
  const bars = panel.mark === "bar";
  const y = {
    field: "y",
    type: "quantitative",
    title: panel.y.label,
    axis: { format: "~s", tickCount: 6 },
    scale: onLog
      ? { type: "log", nice: false, ...(bars ? { domainMin: least } : {}) }
      : { type: "linear", zero: true },
    ...(bars ? { stack: null } : {}),
  };
  const x = { field: "x", title: panel.x.label, ...typeOf(panel.x, points, bars) };
  return [
    {
      title: { text: title, fontSize: 11, fontWeight: "normal", anchor: "start" },
      ...SIZE,
      data: {
        values: points.map(({ series: name, x: at, y: value }) => ({ series: name, x: at, y: value })),
      },
      ...(bars
        ? {
            mark: { type: "bar", clip: true },
            encoding: {
              x,
              y,
              color,
              xOffset: {
                field: "series",
                type: "nominal",
                sort: null,
                scale: { domain: present(points, series) },
              },
              ...(onLog ? { y2: { datum: least } } : {}),
            },
          }
        : {
            mark: {
              type: "line",
              strokeWidth: 1.6,
              point: { size: points.length > 60 ? 12 : 34, filled: true },
            },
            encoding: {
              x,
              y,
              color,
              shape: {
                field: "series",
                type: "nominal",
                sort: null,
                scale: { domain: series, range: series.map((_, i) => SHAPES[i % SHAPES.length]) },
                ...(series.length === 1 ? { legend: null } : {}),
              },
            },
          }),
    },
  ];
}

function present(points: readonly Point[], series: readonly string[]): string[] {
  return series.filter((name) => points.some((point) => point.series === name));
}

/** Labels of bars lie askew where they are long. */
const LONG = 5;

function typeOf({ scale }: Axis, points: readonly Point[], bars: boolean): object {
  if (bars || scale === "category") {
    const long = points.some(({ x }) => String(x).length > LONG);
    return { type: "ordinal", sort: null, axis: { labelAngle: long ? -35 : 0, labelLimit: 160 } };
  }
  const quantitative = { type: "quantitative", axis: { format: "~s", tickCount: 8, grid: true } };
  if (scale === "linear") return { ...quantitative, scale: { zero: false } };
  if (scale === "symlog") {
    const values = [0, 1, 2, 5, 10, 20, 50, 100, 200, 1000];
    return { ...quantitative, scale: { type: "symlog" }, axis: { ...quantitative.axis, values } };
  }
  return { ...quantitative, scale: { type: "log", base: 2, nice: false } };
}
