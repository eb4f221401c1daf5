import type { Spec } from "vega";
import type { HistogramJson } from "../../profile/index.ts";
import type { LogicalType } from "../../table/index.ts";
import { axisOf } from "../text/values.ts";
import { CONFIG, LEFT_AXIS, PADDING, scaleType, ticks, WIDTH } from "./axis.ts";
import { binsOf } from "./bins.ts";

const HEIGHT = 160;
/** Lines of more bins than this would be narrower than three pixels. */
const MOST_BINS = 128;

/** The two histograms of a column over the same bins, as shares of the values of each side: an area and a line. */
export function overlaySpec(logical: LogicalType, a: HistogramJson, b: HistogramJson): Spec {
  const [before, after] = [a, b].map((histogram) => binsOf(histogram, logical, MOST_BINS));
  const { places } = before!;
  const shares = (counts: readonly number[]): number[] => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => (total === 0 ? 0 : count / total));
  };
  const [inA, inB] = [shares(before!.counts), shares(after!.counts)];
  const tallest = Math.max(...inA, ...inB) || 1;
  const ends = [places[0]!, places.at(-1)!] as const;
  const corners = (heights: readonly number[]): object[] => [
    ...heights.map((y, i) => ({ x: places[i]!, y })),
    { x: ends[1], y: heights.at(-1)! },
  ];
  const x = { scale: "x", field: "x" };
  const y = { scale: "y", field: "y" };
  const step = { value: "step-after" };
  const axis = axisOf(logical);
  return {
    autosize: "none",
    padding: PADDING,
    width: WIDTH,
    height: HEIGHT,
    config: CONFIG,
    data: [
      { name: "a", values: corners(inA) },
      { name: "b", values: corners(inB) },
    ],
    scales: [
      { name: "x", type: scaleType(axis), domain: [...ends], range: [0, WIDTH], nice: false, zero: false },
      { name: "y", type: "linear", domain: [0, tallest], range: [HEIGHT, 0], nice: true },
    ] as NonNullable<Spec["scales"]>,
    axes: [
      {
        ...LEFT_AXIS,
        tickCount: 3,
        format: "~%",
      },
      {
        orient: "bottom",
        scale: "x",
        labelFlush: true,
        ...ticks(axis, ends, WIDTH, a.type === "integer"),
      },
    ],
    marks: [
      {
        type: "area",
        from: { data: "a" },
        encode: {
          update: { x, y, y2: { value: HEIGHT }, interpolate: step, fill: { value: "var(--bar)" } },
        },
      },
      {
        type: "line",
        from: { data: "b" },
        encode: {
          update: { x, y, interpolate: step, stroke: { value: "var(--median)" }, strokeWidth: { value: 2 } },
        },
      },
    ],
  } as Spec;
}
