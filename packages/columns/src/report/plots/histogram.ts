import type { Mark, Spec } from "vega";
import type { ColumnJson, HistogramJson } from "../../profile/index.ts";
import { axisOf, placeOf } from "../text/values.ts";
import { CONFIG, COUNT_LABELS, LEFT_AXIS, PADDING, scaleType, ticks, WIDTH } from "./axis.ts";
import { type Bins, binsOf } from "./bins.ts";

const HEIGHT = 136;
/** The strip of quantiles between the bars and the axis. */
const STRIP = { from: HEIGHT + 8, to: HEIGHT + 24 };
/** More bins than this would be narrower than three pixels. */
const MOST_BINS = 128;
/** So many bars of integers stand apart. The gap on each side is this share of a bin. */
const MOST_APART = 32;
const GAP = 0.1;

/** The bars of a histogram over its quantiles. Heights are linear. */
export function histogramSpec(column: ColumnJson, histogram: HistogramJson): { spec: Spec; bins: Bins } {
  const { logical } = column;
  const bins = binsOf(histogram, logical, MOST_BINS);
  const axis = axisOf(logical);
  const ends = [bins.places[0]!, bins.places.at(-1)!] as const;
  const tallest = Math.max(1, ...bins.counts);
  const isApart = histogram.type === "integer" && bins.counts.length <= MOST_APART;
  const strip = stripMarks(column, ends);
  const bottom = strip.length > 0 ? STRIP.to + 6 : HEIGHT;
  const spec: Spec = {
    autosize: "none",
    padding: PADDING,
    width: WIDTH,
    height: bottom,
    config: CONFIG,
    data: [{ name: "bins", values: outline(bins, tallest, isApart) }],
    scales: [
      {
        name: "x",
        type: scaleType(axis),
        domain: [...ends],
        range: [0, WIDTH],
        nice: false,
        zero: false,
        round: true,
      },
      { name: "y", type: "linear", domain: [0, tallest], range: [HEIGHT, 0], nice: true, round: true },
    ] as NonNullable<Spec["scales"]>,
    axes: [
      {
        ...LEFT_AXIS,
        tickCount: Math.min(3, tallest),
        encode: { labels: COUNT_LABELS },
      },
      {
        orient: "bottom",
        scale: "x",
        labelFlush: true,
        ...ticks(axis, ends, WIDTH, histogram.type === "integer"),
      },
    ],
    marks: [
      {
        type: "area",
        from: { data: "bins" },
        encode: {
          update: {
            x: { scale: "x", field: "x" },
            y: { scale: "y", field: "y" },
            y2: { value: HEIGHT },
            interpolate: { value: "step-after" },
            fill: { value: "var(--bar)" },
          },
        },
      },
      ...strip,
    ],
  };
  return { spec, bins };
}

/** The corners of the bars, which are at least a pixel high: a single row can be seen. @param isApart with gaps between them */
function outline({ places, counts }: Bins, tallest: number, isApart: boolean): object[] {
  const least = tallest / HEIGHT;
  return counts.flatMap((count, i) => {
    const [from, to] = [places[i]!, places[i + 1]!];
    const gap = isApart ? (to - from) * GAP : 0;
    const y = count > 0 ? Math.max(count, least) : 0;
    return [
      { x: from + gap, y },
      { x: to - gap, y: isApart || i === counts.length - 1 ? 0 : y },
    ];
  });
}

/** A box from the first to the third quartile, whiskers from 5% to 95%, and bands where only bounds are known. */
function stripMarks(column: ColumnJson, [lo, hi]: readonly [number, number]): Mark[] {
  const inside = (place: number): number => Math.min(Math.max(place, lo), hi);
  const at = (p: number): number | null => {
    const found = column.quantiles.find((quantile) => quantile.p === p);
    return found?.value == null ? null : inside(placeOf(found.value, column.logical));
  };
  const [low, first, median, third, high] = [0.05, 0.25, 0.5, 0.75, 0.95].map(at);
  if (first == null || median == null || third == null || !(hi > lo)) return [];
  const middle = (STRIP.from + STRIP.to) / 2;
  const bands = column.quantiles
    .map(({ low, high }) => ({
      x: low === null ? lo : inside(placeOf(low, column.logical)),
      x2: high === null ? hi : inside(placeOf(high, column.logical)),
    }))
    .filter(({ x, x2 }) => ((x2 - x) / (hi - lo)) * WIDTH > 1);
  return [
    ...bands.map((band) => rect(band, STRIP.from, STRIP.to, "var(--band)")),
    rect({ x: low ?? first, x2: high ?? third }, middle - 1, middle + 1, "var(--strong)"),
    rect({ x: first, x2: third }, STRIP.from + 2, STRIP.to - 2, "var(--strong)"),
    {
      type: "rect",
      encode: {
        update: {
          xc: { scale: "x", value: median },
          width: { value: 3 },
          y: { value: STRIP.from - 1 },
          y2: { value: STRIP.to + 1 },
          fill: { value: "var(--median)" },
        },
      },
    },
  ];
}

function rect({ x, x2 }: { x: number; x2: number }, y: number, y2: number, fill: string): Mark {
  return {
    type: "rect",
    encode: {
      update: {
        x: { scale: "x", value: x },
        x2: { scale: "x", value: x2 },
        y: { value: y },
        y2: { value: y2 },
        fill: { value: fill },
      },
    },
  };
}
