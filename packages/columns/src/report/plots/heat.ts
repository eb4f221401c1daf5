import type { Axis as AxisSpec, Spec } from "vega";
import { heatOf, heightOf, logFloor, scaleFor } from "../../plots/index.ts";
import type { JointAxisJson, JointJson } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { axisOf } from "../text/values.ts";
import { plainName } from "../text/visible.ts";
import { CONFIG, COUNT_LABELS, scaleType, ticks } from "./axis.ts";
import { placesOf } from "./bins.ts";

const SIDE = 284;
const PADDING = { left: 64, right: 72, top: 8, bottom: 40 };
const MOST_CELLS = 64;
/** Colours of a picture. Cells of one colour are one path, which keeps pictures small. */
const SHADES = 32;
const NAME = 40;

/** A heat map: the first column to the right, the second one upwards. */
export function heatSpec(joint: JointJson, types: readonly [LogicalType, LogicalType]): Spec {
  const { sums, size, binsEach } = heatOf(joint, [MOST_CELLS, MOST_CELLS]);
  const tallest = sums.reduce((most, sum) => Math.max(most, sum), 1);
  const isLog = scaleFor([sums]) === "log";
  const least = isLog ? Math.min(logFloor([sums]), tallest / 2) : 0;
  const x = alongOf(joint.axes[0], types[0], binsEach[0]);
  const y = alongOf(joint.axes[1], types[1], binsEach[1]);
  const shade = (sum: number): number =>
    Math.round(heightOf(sum, tallest, isLog ? least : null) * (SHADES - 1));
  const paths = new Map<number, { count: number; d: string }>();
  for (const [i, sum] of sums.entries()) {
    if (sum === 0) continue;
    const [row, column] = [Math.floor(i / size[1]), i % size[1]];
    const path = paths.get(shade(sum)) ?? { count: sum, d: "" };
    path.d += rectangle(x.at(row), x.at(row + 1), SIDE - y.at(column), SIDE - y.at(column + 1));
    paths.set(shade(sum), path);
  }
  const powers = powersOfTen(least, tallest);
  return {
    autosize: "none",
    padding: PADDING,
    width: SIDE,
    height: SIDE,
    config: CONFIG,
    data: [{ name: "shades", values: [...paths.values()] }],
    scales: [
      { name: "x", ...x.scale, range: [0, SIDE] },
      { name: "y", ...y.scale, range: [SIDE, 0] },
      {
        name: "count",
        type: isLog ? "log" : "linear",
        domain: [least, tallest],
        range: { scheme: "viridis" },
      },
    ] as NonNullable<Spec["scales"]>,
    axes: [
      { orient: "bottom", scale: "x", title: plainName(joint.columns[0], NAME), ...x.axis },
      { orient: "left", scale: "y", title: plainName(joint.columns[1], NAME), titleX: -52, ...y.axis },
    ],
    legends: [
      {
        fill: "count",
        title: isLog ? ["rows", "(log)"] : "rows",
        encode: { labels: COUNT_LABELS },
        gradientLength: SIDE - 60,
        titleFontWeight: "normal",
        ...(isLog && powers.length > 1 ? { values: powers } : { tickCount: 5 }),
      },
    ],
    marks: [
      {
        type: "path",
        from: { data: "shades" },
        encode: { update: { path: { field: "d" }, fill: { scale: "count", field: "count" } } },
      },
    ],
  };
}

/** The places of the edges of cells along a side in pixels, and the axis that shows them. */
interface Along {
  readonly at: (edge: number) => number;
  readonly scale: object;
  readonly axis: Partial<AxisSpec>;
}

function alongOf({ type, edges }: JointAxisJson, logical: LogicalType, each: number): Along {
  const places = placesOf({ type, edges }, logical);
  const ends = [places[0]!, places.at(-1)!] as const;
  const place = (edge: number): number => places[Math.min(edge * each, places.length - 1)]!;
  return {
    at: (edge) => ((place(edge) - ends[0]) / (ends[1] - ends[0])) * SIDE,
    scale: { type: scaleType(axisOf(logical)), domain: [...ends], nice: false, zero: false },
    axis: type === "boolean" ? BOTH : ticks(axisOf(logical), ends, SIDE, type === "integer"),
  };
}

/** Boolean axes have their labels in the middle of the bins. */
const BOTH: Partial<AxisSpec> = {
  values: [0.5, 1.5],
  ticks: false,
  encode: { labels: { update: { text: { signal: "datum.value < 1 ? 'false' : 'true'" } } } },
};

/** The powers of ten from one count to another. */
function powersOfTen(least: number, most: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(least)), Math.floor(Math.log10(most))];
  return least > 0 ? Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i)) : [];
}

/** Corners on whole pixels, so that no seam shows between neighbours. */
function rectangle(x: number, x2: number, y: number, y2: number): string {
  const [left, right, bottom, top] = [x, x2, y, y2].map(Math.round) as [number, number, number, number];
  return `M${left},${top}h${right - left}v${bottom - top}h${left - right}z`;
}
