import type { Axis, Scale } from "vega";
import type { EvaluatedPanel } from "./evaluate.ts";
import type { Point } from "./model.ts";

/** Size of a plot in pixels, and the approximate number of labels on its axis of places. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly ticks: number;
}

/** The part of a plot that decides its axis of places. Plots that should align have the same places. */
export interface Placed extends Pick<EvaluatedPanel, "mark" | "x"> {
  readonly places: readonly Point[];
}

/** Factor by which a logarithmic axis extends beyond its lowest and highest value. */
const BEYOND = 1.3;
/** Number of decades above which only powers of ten have labels. */
const DECADES = 4;
/** Width of a letter in pixels, and the angle of labels that do not fit. */
const LETTER = 6.5;
const ASKEW = -35;
/** Width in pixels below which labels of a category stand upright. */
const UPRIGHT = 22;
/** Formats of numbers, and of large sizes as powers of two. */
const NUMBER = "format(datum.value, ',~g')";
const PLACE = `datum.value >= 8192 ? '2^' + round(log(datum.value) / LN2) : ${NUMBER}`;

/** Extends the range of values slightly at both ends. */
export function around(points: readonly Point[]): [number, number] {
  const all = points.map(({ y }) => y);
  return [Math.min(...all) / BEYOND, Math.max(...all) * BEYOND];
}

/** Makes the scale of values. A linear one starts at 0. */
export function valuesOf(scale: string, points: readonly Point[], { height }: Frame): Scale {
  const place = { name: "y", range: [height, 0] };
  if (scale === "log") return { ...place, type: "log", nice: false, domain: around(points) };
  const most = Math.max(...points.map(({ y }) => y));
  return { ...place, type: "linear", zero: true, nice: true, domain: [0, most] };
}

export function yAxis(
  { label, scale }: Pick<EvaluatedPanel["y"], "label" | "scale">,
  points: readonly Point[],
): Axis {
  return {
    ...{ orient: "left", scale: "y", title: label, grid: true, gridScale: "x", labelOverlap: "greedy" },
    ...(scale === "log" ? { values: roundNumbers(...around(points)) } : { tickCount: 6 }),
    encode: { labels: { update: { text: { signal: NUMBER } } } },
  };
}

/** Lists round numbers within a range: 1, 2 and 5 of each decade, or only powers of ten in a wide range. */
export function roundNumbers(least: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const steps = last - first > DECADES ? [1] : [1, 2, 5];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  // Parsed from text, so that each number is the closest double.
  const all = powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`)));
  return all.filter((value) => value >= least && value <= most);
}

function allPlaces({ places }: Placed): Point["x"][] {
  const all = [...new Set(places.map(({ x }) => x))];
  return all.every((x) => typeof x === "number") ? all.sort((a, b) => Number(a) - Number(b)) : all;
}

const isCategory = ({ mark, x }: Placed): boolean => mark === "bar" || x.scale === "category";

/** Makes the scale of places: bands for bars, else points or numbers. */
export function placesOf(panel: Placed, { width }: Frame): Scale {
  const all = allPlaces(panel);
  const place = { name: "x", range: [0, width] };
  if (panel.mark === "bar")
    return { ...place, type: "band", domain: all, paddingInner: 0.2, paddingOuter: 0.2 };
  if (isCategory(panel)) return { ...place, type: "point", domain: all, padding: 0.5 };
  const domain = [Number(all[0]), Number(all.at(-1))];
  const { scale } = panel.x;
  if (scale === "linear") return { ...place, type: "linear", domain, zero: false, nice: true };
  if (scale === "symlog") return { ...place, type: "symlog", domain, nice: false };
  return { ...place, type: "log", base: 2, domain, nice: false };
}

export function xAxis(panel: Placed, { width, ticks: most }: Frame): Axis {
  const { label, scale } = panel.x;
  const all = allPlaces(panel);
  const axis: Axis = { orient: "bottom", scale: "x", title: label };
  if (isCategory(panel)) {
    const longest = Math.max(...all.map((x) => String(x).length));
    if (longest * LETTER <= width / all.length) return { ...axis, labelLimit: 300 };
    const upright = width / all.length < UPRIGHT;
    return {
      ...{ ...axis, labelLimit: 300, labelAlign: "right" },
      ...(upright
        ? { labelAngle: -90, labelBaseline: "middle" }
        : { labelAngle: ASKEW, labelBaseline: "top" }),
    };
  }
  // Vega thins values from the first one on, which may drop the last.
  const step = Math.ceil(all.length / most);
  const ticks = all.filter((_, i) => (all.length - 1 - i) % step === 0);
  const few = all.length <= most ? all : undefined;
  const values = { log: ticks, symlog: all, linear: few, category: undefined }[scale];
  const encode = { labels: { update: { text: { signal: PLACE } } } };
  return { ...axis, grid: true, gridScale: "y", encode, ...(values ? { values } : { tickCount: most }) };
}
