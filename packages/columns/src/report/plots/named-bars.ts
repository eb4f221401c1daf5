import type { Spec } from "vega";
import { CONFIG, COUNT_LABELS, LEFT_AXIS, PADDING, WIDTH } from "./axis.ts";

const HEIGHT = 72;
/** The least room of a label in pixels. */
const LABEL = 26;

/** A bar per name, in the order of the names. Heights are linear. */
export function namedBarsSpec(names: readonly string[], counts: readonly number[]): Spec {
  const tallest = Math.max(1, ...counts);
  const each = Math.ceil((LABEL * names.length) / WIDTH);
  return {
    autosize: "none",
    padding: PADDING,
    width: WIDTH,
    height: HEIGHT,
    config: CONFIG,
    data: [{ name: "bars", values: names.map((name, i) => ({ name, count: counts[i]! })) }],
    scales: [
      { name: "x", type: "band", domain: [...names], range: [0, WIDTH], padding: 0.1, round: true },
      { name: "y", type: "linear", domain: [0, tallest], range: [HEIGHT, 0], nice: true, round: true },
    ] as NonNullable<Spec["scales"]>,
    axes: [
      {
        ...LEFT_AXIS,
        tickCount: Math.min(2, tallest),
        encode: { labels: COUNT_LABELS },
      },
      {
        orient: "bottom",
        scale: "x",
        ticks: false,
        values: names.filter((_, i) => i % each === 0),
      },
    ],
    marks: [
      {
        type: "rect",
        from: { data: "bars" },
        encode: {
          update: {
            x: { scale: "x", field: "name" },
            width: { scale: "x", band: 1 },
            y: { scale: "y", field: "count" },
            y2: { value: HEIGHT },
            fill: { value: "var(--bar)" },
          },
        },
      },
    ],
  };
}
