import type { Spec } from "vega";
import { percent, whole } from "../text/numbers.ts";
import { CONFIG } from "./axis.ts";

const WIDTH = 258;
const BAR = 26;
const GAP = 10;
const LABELS = 44;

/** A bar of its own for false and for true, with the share of each. */
export function twoBarsSpec([falses, trues]: readonly [number, number]): Spec {
  const all = falses + trues;
  const bars = [
    { name: "false", count: falses, y: 0 },
    { name: "true", count: trues, y: BAR + GAP },
  ].map((bar) => ({ ...bar, text: `${whole(bar.count)} (${percent(bar.count, all)})` }));
  const text = {
    y: { field: "y", offset: BAR / 2 },
    baseline: { value: "middle" as const },
    fontSize: { value: 12 },
  };
  return {
    autosize: "none",
    padding: { left: LABELS, right: 130, top: 8, bottom: 8 },
    width: WIDTH,
    height: 2 * BAR + GAP,
    config: CONFIG,
    data: [{ name: "bars", values: bars }],
    scales: [{ name: "x", type: "linear", domain: [0, Math.max(1, all)], range: [0, WIDTH], round: true }],
    marks: [
      {
        type: "rect",
        from: { data: "bars" },
        encode: { update: { ...across(WIDTH), fill: { value: "var(--track)" } } },
      },
      {
        type: "rect",
        from: { data: "bars" },
        encode: { update: { ...across({ scale: "x", field: "count" }), fill: { value: "var(--bar)" } } },
      },
      {
        type: "text",
        from: { data: "bars" },
        encode: {
          update: { ...text, x: { value: -8 }, align: { value: "right" }, text: { field: "name" } },
        },
      },
      {
        type: "text",
        from: { data: "bars" },
        encode: {
          update: { ...text, x: { value: WIDTH + 8 }, text: { field: "text" } },
        },
      },
    ],
  };
}

function across(end: number | { readonly scale: string; readonly field: string }) {
  return {
    x: { value: 0 },
    x2: typeof end === "number" ? { value: end } : end,
    y: { field: "y" },
    height: { value: BAR },
  };
}
