import type { Mark, Spec } from "vega";
import type { OverColumnJson, OverJson } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { axisOf, placeOf } from "../text/values.ts";
import { CONFIG, COUNT_LABELS, LEFT_AXIS, PADDING, scaleType, ticks, WIDTH } from "./axis.ts";

const HEIGHT = 96;
/** The strip of nulls between the means and the axis. */
const STRIP = { from: HEIGHT + 6, to: HEIGHT + 20 };
/** Pixels of an axis by which few labels stand on it. */
const FEW_LABELS = 240;
/** The band from the smallest to the largest values is drawn if it is at most this number of times as high as the means. */
const MOST_BAND = 12;

/** A plot over the bins of a column. */
interface Over {
  readonly spec: Spec;
  /** Whether the band from the smallest to the largest value of each bin is drawn. */
  readonly hasBand: boolean;
}

/** The means of a column over the bins of another one, the band of its values if it fits, and the share of its nulls. */
export function overSpec(over: OverJson, column: OverColumnJson, x: LogicalType, y: LogicalType): Over {
  const place = (value: number | string | null): number => (value === null ? Number.NaN : placeOf(value, y));
  const bins = column.mean.map((mean, i) => ({
    mean: place(mean),
    min: place(column.min[i]!),
    max: place(column.max[i]!),
  }));
  const held = bins.filter(({ mean }) => Number.isFinite(mean));
  const means = extentOf(held.map(({ mean }) => mean));
  const all = extentOf(held.flatMap(({ min, max }) => [min, max]));
  const hasBand = all[1] - all[0] <= MOST_BAND * (means[1] - means[0]);
  const ends = padded(hasBand ? all : means);
  const hasNulls = column.nulls.some((nulls) => nulls > 0);
  const places = over.edges.map((edge) => placeOf(edge, x));
  const corners = (of: (bin: number) => object | null): object[] =>
    over.rows.flatMap((_, i) => {
      const corner = of(i);
      return [places[i]!, places[i + 1]!].map((at) => ({ x: at, ...(corner ?? { isGap: true }) }));
    });
  const marks: Mark[] = [
    ...(hasBand
      ? [area("means", { scale: "y", field: "min" }, { scale: "y", field: "max" }, "var(--track)")]
      : []),
    {
      type: "line",
      from: { data: "means" },
      encode: {
        update: {
          x: { scale: "x", field: "x" },
          y: { scale: "y", field: "mean" },
          defined: { signal: "!datum.isGap" },
          stroke: { value: "var(--strong)" },
          strokeWidth: { value: 2 },
        },
      },
    },
    ...(hasNulls ? nullMarks() : []),
  ];
  return {
    hasBand,
    spec: {
      ...frame(hasNulls ? STRIP.to + 4 : HEIGHT),
      data: [
        { name: "means", values: corners((i) => (Number.isFinite(bins[i]!.mean) ? bins[i]! : null)) },
        {
          name: "nulls",
          values: corners((i) => (over.rows[i]! > 0 ? { share: column.nulls[i]! / over.rows[i]! } : null)),
        },
      ],
      scales: [
        xScale(places, x),
        {
          name: "y",
          type: "linear",
          domain: [...ends],
          range: [HEIGHT, 0],
          nice: true,
          zero: false,
          round: true,
        },
      ],
      axes: [
        {
          ...LEFT_AXIS,
          ...ticks("linear", ends, FEW_LABELS, false),
        },
        xAxis(places, x),
      ],
      marks,
    } as Spec,
  };
}

/** The number of rows in each bin. */
export function overRowsSpec({ edges, rows }: OverJson, x: LogicalType): Spec {
  const places = edges.map((edge) => placeOf(edge, x));
  const tallest = Math.max(1, ...rows);
  return {
    ...frame(HEIGHT),
    data: [
      {
        name: "rows",
        values: rows.flatMap((count, i) => [
          { x: places[i]!, count },
          { x: places[i + 1]!, count },
        ]),
      },
    ],
    scales: [
      xScale(places, x),
      { name: "y", type: "linear", domain: [0, tallest], range: [HEIGHT, 0], nice: true, round: true },
    ],
    axes: [
      {
        ...LEFT_AXIS,
        tickCount: Math.min(3, tallest),
        encode: { labels: COUNT_LABELS },
      },
      xAxis(places, x),
    ],
    marks: [area("rows", { scale: "y", field: "count" }, { value: HEIGHT }, "var(--bar)")],
  } as Spec;
}

function frame(height: number): Spec {
  return { autosize: "none", padding: PADDING, width: WIDTH, height, config: CONFIG };
}

/** All columns have the same scale. */
function xScale(places: readonly number[], x: LogicalType): object {
  const ends = [places[0]!, places.at(-1)!];
  return {
    name: "x",
    type: scaleType(axisOf(x)),
    domain: ends,
    range: [0, WIDTH],
    nice: false,
    zero: false,
    round: true,
  };
}

function xAxis(places: readonly number[], x: LogicalType): object {
  const ends = [places[0]!, places.at(-1)!] as const;
  return { orient: "bottom", scale: "x", labelFlush: true, ...ticks(axisOf(x), ends, WIDTH, false) };
}

function area(data: string, y: object, y2: object, fill: string): Mark {
  return {
    type: "area",
    from: { data },
    encode: {
      update: {
        x: { scale: "x", field: "x" },
        y: y as never,
        y2: y2 as never,
        defined: { signal: "!datum.isGap" },
        fill: { value: fill },
      },
    },
  };
}

/** A track for each stretch with rows, filled by the share of nulls. */
function nullMarks(): Mark[] {
  const full = STRIP.to - STRIP.from;
  const top = { signal: `${STRIP.to} - datum.share * ${full}` };
  return [
    area("nulls", { value: STRIP.from }, { value: STRIP.to }, "var(--track)"),
    area("nulls", top, { value: STRIP.to }, "var(--median)"),
  ];
}

const extentOf = (values: readonly number[]): readonly [number, number] => [
  values.reduce((a, b) => Math.min(a, b), Infinity),
  values.reduce((a, b) => Math.max(a, b), -Infinity),
];

/** A range that is not empty. */
function padded([lo, hi]: readonly [number, number]): readonly [number, number] {
  if (!(lo <= hi)) return [0, 1];
  const half = hi > lo ? 0 : Math.max(Math.abs(lo) / 100, 0.5);
  return [lo - half, hi + half];
}
