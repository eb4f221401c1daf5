import type { Axis, Mark, Scale } from "vega";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";

/** Size of one plot in pixels. */
const SIZE = { width: 330, height: 200 } as const;
/** Colours that readers with colour blindness can distinguish (Okabe and Ito), then darker ones. */
const COLOURS = [
  ...["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"],
  ...["#56b4e9", "#000000", "#7a6f00", "#8c4a2f", "#5b5ea6"],
];
const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];
/** Factor by which a logarithmic axis extends beyond its lowest and highest value. */
const BEYOND = 1.3;
/** The fewest points of a series that a line joins. With fewer, a line would claim more than the paper's text. */
const JOINED = 5;
/** Number of points above which symbols are small. */
const MANY = 60;
/** Number of decades above which only powers of ten have labels. */
const DECADES = 4;
/** Approximate number of labels on an axis. */
const TICKS = 8;
/** Width of a letter in pixels, and the angle of labels that do not fit. */
const LETTER = 6.5;
const ASKEW = -35;
/** Formats of numbers, and of large sizes as powers of two. */
const NUMBER = "format(datum.value, ',~g')";
const PLACE = `datum.value >= 8192 ? '2^' + round(log(datum.value) / LN2) : ${NUMBER}`;

/** Describes a point for screen readers. */
const TOLD = "datum.series + ', ' + datum.x + ': ' + format(datum.y, ',.4~r')";

/** Assigns a colour to each series of a figure, in all its plots. */
export function coloursOf(series: readonly string[]): Scale {
  return { name: "colour", type: "ordinal", domain: [...series], range: repeated(COLOURS, series) };
}

export function shapesOf(series: readonly string[]): Scale {
  return { name: "shape", type: "ordinal", domain: [...series], range: repeated(SHAPES, series) };
}

function repeated(range: readonly string[], series: readonly string[]): string[] {
  return series.map((_, i) => range[i % range.length]!);
}

/** Draws one side of a panel as a Vega group, or nothing without points. `series` lists those of the whole figure. */
export function plotOf(
  panel: EvaluatedPanel,
  side: "paper" | "ours",
  title: string,
  series: readonly string[],
): Mark[] {
  const onLog = panel.y.scale === "log";
  // A logarithmic axis has no 0. The table shows it.
  const points = panel[side].filter(({ y }) => !onLog || y > 0);
  if (points.length === 0) return [];
  const isBar = panel.mark === "bar";
  const present = series.filter((name) => points.some((point) => point.series === name));
  const group: Mark = {
    type: "group",
    title: { text: title, fontSize: 11, fontWeight: "normal", anchor: "start" },
    encode: {
      update: { width: { value: SIZE.width }, height: { value: SIZE.height }, stroke: { value: "#ccc" } },
    },
    data: [{ name: "points", values: points.map(({ series: name, x, y }) => ({ series: name, x, y })) }],
    scales: [placesOf(panel), valuesOf(panel, points)],
    axes: [xAxis(panel), yAxis(panel, points)],
    marks: isBar ? [bars(panel, points, present)] : lines(points),
  };
  return [group];
}

/** Draws the bars of one place side by side. */
function bars({ y }: EvaluatedPanel, points: readonly Point[], present: readonly string[]): Mark {
  const foot = y.scale === "log" ? around(points)[0] : 0;
  const width = `bandwidth('x') / ${present.length}`;
  const number = `indexof(${JSON.stringify(present)}, datum.series)`;
  return {
    type: "rect",
    clip: true,
    from: { data: "points" },
    encode: {
      update: {
        x: { scale: "x", field: "x", offset: { signal: `${number} * ${width}` } },
        width: { signal: `max(0.25, ${width})` },
        y: { scale: "y", field: "y" },
        y2: { scale: "y", value: foot },
        fill: { scale: "colour", field: "series" },
        description: { signal: TOLD },
      },
    },
  };
}

/** Draws points, joined by a line if a series has enough. */
function lines(points: readonly Point[]): Mark[] {
  const lengths = [...Map.groupBy(points, (point) => point.series).values()].map((of) => of.length);
  const joined = Math.max(...lengths) >= JOINED;
  const place = { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" } };
  const symbols: Mark = {
    type: "symbol",
    from: { data: "points" },
    encode: {
      update: {
        ...place,
        size: { value: joined ? (points.length > MANY ? 14 : 34) : 60 },
        fill: { scale: "colour", field: "series" },
        description: { signal: TOLD },
        shape: { scale: "shape", field: "series" },
      },
    },
  };
  if (!joined) return [symbols];
  const line: Mark = {
    type: "line",
    sort: { field: "datum.x" },
    from: { data: "line" },
    encode: {
      update: { ...place, stroke: { scale: "colour", field: "series" }, strokeWidth: { value: 1.6 } },
    },
  };
  return [
    { type: "group", from: { facet: { name: "line", data: "points", groupby: "series" } }, marks: [line] },
    symbols,
  ];
}

/** Extends the range of values slightly at both ends. */
function around(points: readonly Point[]): [number, number] {
  const all = points.map(({ y }) => y);
  return [Math.min(...all) / BEYOND, Math.max(...all) * BEYOND];
}

function valuesOf({ y: { scale } }: EvaluatedPanel, points: readonly Point[]): Scale {
  const place = { name: "y", range: [SIZE.height, 0] };
  if (scale === "log") return { ...place, type: "log", nice: false, domain: around(points) };
  const most = Math.max(...points.map(({ y }) => y));
  return { ...place, type: "linear", zero: true, nice: true, domain: [0, most] };
}

function yAxis({ y: { label, scale } }: EvaluatedPanel, points: readonly Point[]): Axis {
  return {
    ...{ orient: "left", scale: "y", title: label, grid: true, gridScale: "x", labelOverlap: "greedy" },
    ...(scale === "log" ? { values: roundNumbers(...around(points)) } : { tickCount: 6 }),
    encode: { labels: { update: { text: { signal: NUMBER } } } },
  };
}

/** Lists round numbers within a range: 1, 2 and 5 of each decade, or only powers of ten in a wide range. */
function roundNumbers(least: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const steps = last - first > DECADES ? [1] : [1, 2, 5];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  // Parsed from text, so that each number is the closest double.
  const all = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
  return all.filter((value) => value >= least && value <= most);
}

/** Lists the places of both sides, so that both plots align. */
function allPlaces({ paper, ours }: EvaluatedPanel): Point["x"][] {
  const all = [...new Set([...paper, ...ours].map(({ x }) => x))];
  return all.every((x) => typeof x === "number") ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

const isCategory = ({ mark, x }: EvaluatedPanel): boolean => mark === "bar" || x.scale === "category";

function placesOf(panel: EvaluatedPanel): Scale {
  const all = allPlaces(panel);
  const place = { name: "x", range: [0, SIZE.width] };
  if (panel.mark === "bar")
    return { ...place, type: "band", domain: all, paddingInner: 0.2, paddingOuter: 0.2 };
  if (isCategory(panel)) return { ...place, type: "point", domain: all, padding: 0.5 };
  const domain = [Number(all[0]), Number(all.at(-1))];
  const { scale } = panel.x;
  if (scale === "linear") return { ...place, type: "linear", domain, zero: false, nice: true };
  if (scale === "symlog") return { ...place, type: "symlog", domain, nice: false };
  return { ...place, type: "log", base: 2, domain, nice: false };
}

function xAxis(panel: EvaluatedPanel): Axis {
  const { label, scale } = panel.x;
  const all = allPlaces(panel);
  const axis: Axis = { orient: "bottom", scale: "x", title: label };
  if (isCategory(panel)) {
    const longest = Math.max(...all.map((x) => String(x).length));
    if (longest * LETTER <= SIZE.width / all.length) return { ...axis, labelLimit: 160 };
    return { ...axis, labelLimit: 160, labelAngle: ASKEW, labelAlign: "right", labelBaseline: "top" };
  }
  // Vega thins values from the first one on, which may drop the last.
  const step = Math.ceil(all.length / TICKS);
  const ticks = all.filter((_, i) => (all.length - 1 - i) % step === 0);
  const few = all.length <= TICKS ? all : undefined;
  const values = { log: ticks, symlog: all, linear: few, category: undefined }[scale];
  const encode = { labels: { update: { text: { signal: PLACE } } } };
  return { ...axis, grid: true, gridScale: "y", encode, ...(values ? { values } : { tickCount: TICKS }) };
}
