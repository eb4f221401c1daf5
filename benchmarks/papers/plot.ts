import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";

/** Pixels of one plot. */
const SIZE = { width: 330, height: 200 } as const;
/** Colours that are told apart by eyes that do not see red or green, too (Okabe and Ito), then their darker kin. */
const COLOURS = [
  ...["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"],
  ...["#56b4e9", "#000000", "#7a6f00", "#8c4a2f", "#5b5ea6"],
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
/** How far a logarithmic axis goes past its least and its greatest value. */
const BEYOND = 1.3;
/** Points of a series from which on a line joins them: fewer would say more than the paper's text does. */
const JOINED = 5;
/** Points of a plot from which on they are small. */
const MANY = 60;
/** Labels of an axis, about. */
const TICKS = 8;
/** Pixels of a letter, and how labels lie that have no room. */
const LETTER = 6.5;
const ASKEW = -35;
/** Numbers as people write them; great sizes as powers of two. */
const NUMBER = "format(datum.value, ',~g')";
const PLACE = `datum.value >= 8192 ? '2^' + round(log(datum.value) / LN2) : ${NUMBER}`;

/** One side of a panel in Vega-Lite's terms; `series` are those of the whole figure, whose colours all plots share. */
export function plotOf(
  panel: EvaluatedPanel,
  side: "paper" | "ours",
  title: string,
  series: readonly string[],
): object[] {
  const onLog = panel.y.scale === "log";
  // There is no 0 on a logarithmic axis; the table has it.
  const points = panel[side].filter(({ y }) => !onLog || y > 0);
  if (points.length === 0) return [];
  const common = {
    title: { text: title, fontSize: 11, fontWeight: "normal", anchor: "start" },
    ...SIZE,
    data: { values: points.map(({ series: name, x, y }) => ({ series: name, x, y })) },
  };
  return [{ ...common, ...(panel.mark === "bar" ? bars : marks)(panel, points, series) }];
}

function bars(panel: EvaluatedPanel, points: readonly Point[], series: readonly string[]): object {
  const present = series.filter((name) => points.some((point) => point.series === name));
  const [least] = around(points);
  return {
    mark: { type: "bar", clip: true },
    encoding: {
      x: categories(panel),
      y: { ...values(panel, points), stack: null },
      color: bySeries(series, COLOURS),
      xOffset: { field: "series", type: "nominal", sort: null, scale: { domain: present } },
      ...(panel.y.scale === "log" ? { y2: { datum: least } } : {}),
    },
  };
}

function marks(panel: EvaluatedPanel, points: readonly Point[], series: readonly string[]): object {
  const lengths = [...Map.groupBy(points, (point) => point.series).values()].map((of) => of.length);
  const joined = Math.max(...lengths) >= JOINED;
  const line = {
    type: "line",
    strokeWidth: 1.6,
    point: { size: points.length > MANY ? 14 : 34, filled: true },
  };
  return {
    mark: joined ? line : { type: "point", size: 60, filled: true, opacity: 1 },
    encoding: {
      x: panel.x.scale === "category" ? categories(panel) : places(panel),
      y: values(panel, points),
      color: bySeries(series, COLOURS),
      shape: bySeries(series, SHAPES),
    },
  };
}

function bySeries(series: readonly string[], range: readonly string[]): object {
  return {
    field: "series",
    type: "nominal",
    sort: null,
    scale: { domain: series, range: series.map((_, i) => range[i % range.length]) },
    ...(series.length === 1 ? { legend: null } : {}),
  };
}

/** A little past the least and the greatest value. */
function around(points: readonly Point[]): [number, number] {
  const all = points.map(({ y }) => y);
  return [Math.min(...all) / BEYOND, Math.max(...all) * BEYOND];
}

function values({ y: { label, scale } }: EvaluatedPanel, points: readonly Point[]): object {
  return {
    field: "y",
    type: "quantitative",
    title: label,
    axis: { labelExpr: NUMBER, tickCount: 6 },
    scale:
      scale === "log" ? { type: "log", nice: false, domain: around(points) } : { type: "linear", zero: true },
  };
}

/** The places of both sides, so that the same lie below one another. */
function allPlaces({ paper, ours }: EvaluatedPanel): Point["x"][] {
  const all = [...new Set([...paper, ...ours].map(({ x }) => x))];
  return all.every((x) => typeof x === "number") ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

function categories(panel: EvaluatedPanel): object {
  const domain = allPlaces(panel);
  const longest = Math.max(...domain.map((x) => String(x).length));
  const labelAngle = longest * LETTER > SIZE.width / domain.length ? ASKEW : 0;
  return {
    field: "x",
    type: "ordinal",
    sort: null,
    title: panel.x.label,
    scale: { domain },
    axis: { labelAngle, labelLimit: 160 },
  };
}

function places(panel: EvaluatedPanel): object {
  const { label, scale } = panel.x;
  const all = allPlaces(panel);
  const domain = [all[0], all.at(-1)];
  // Vega thins values from the first one on, which may lose the last.
  const step = Math.ceil(all.length / TICKS);
  const ticks = all.filter((_, i) => (all.length - 1 - i) % step === 0);
  const few = all.length <= TICKS ? all : undefined;
  const values = { log: ticks, symlog: all, linear: few, category: undefined }[scale];
  const chosen = values && { values, tickCount: undefined, labelOverlap: false, labelFlush: false };
  const axis = { labelExpr: PLACE, tickCount: TICKS, ...chosen };
  const kinds = {
    linear: { zero: false, nice: true },
    log: { type: "log", base: 2, nice: false },
    symlog: { type: "symlog", nice: false },
    category: {},
  };
  return { field: "x", type: "quantitative", title: label, axis, scale: { ...kinds[scale], domain } };
}
