import type { Mark as VegaMark } from "vega";
import { roundNumbers } from "../axes.ts";
import { coloursOf, shapesOf } from "../plot.ts";
import { svgOf } from "../svg.ts";
import type { Picture } from "./page.ts";

/** Width of the plot, and height of a row, in pixels. */
const [WIDTH, ROW] = [560, 36];
/** Factor by which the axis extends beyond its lowest and highest number. */
const BEYOND = 1.5;
const INK = "#333";
const NUMBER = "format(datum.value, ',~g')";

/**
 * Draws numbers by row as an SVG document. The papers' symbols are hollow. Each row has its name above its symbols, so that
 * the picture stays readable on a narrow screen.
 */
export function storyChartOf({ unit, who, rows, marks, lines }: Picture): Promise<string> {
  const all = [...marks, ...lines].map(({ x }) => x);
  const [least, most] = [Math.min(...all) / BEYOND, Math.max(...all) * BEYOND];
  const [theirs] = who;
  const symbols = (name: string, style: object): VegaMark => ({
    type: "symbol",
    from: { data: name },
    encode: {
      update: {
        ...{ x: { scale: "x", field: "x" }, y: { scale: "y", field: "row", band: 0.7 } },
        ...{ shape: { scale: "shape", field: "who" }, stroke: { scale: "colour", field: "who" } },
        description: { signal: "datum.row + ', ' + datum.who + ': ' + format(datum.x, ',.4~r')" },
        ...style,
      },
    },
  });
  return svgOf({
    width: WIDTH,
    height: ROW * rows.length,
    data: [
      { name: "then", values: marks.filter((mark) => mark.who === theirs) },
      { name: "now", values: marks.filter((mark) => mark.who !== theirs) },
      { name: "lines", values: [...lines] },
      { name: "rows", values: rows.map((row) => ({ row })) },
    ],
    scales: [
      { name: "x", type: "log", domain: [least, most], range: "width" },
      { name: "y", type: "band", domain: [...rows], range: "height" },
      coloursOf(who),
      shapesOf(who),
    ],
    axes: [
      {
        ...{ orient: "bottom", scale: "x", title: unit, grid: true, values: roundNumbers(least, most) },
        encode: { labels: { update: { text: { signal: NUMBER } } } },
      },
    ],
    legends: [{ stroke: "colour", shape: "shape", symbolStrokeWidth: 2 }],
    marks: [
      {
        type: "rule",
        from: { data: "lines" },
        encode: {
          update: {
            ...{ x: { scale: "x", field: "x" }, y: { value: 0 }, y2: { signal: "height" } },
            ...{ stroke: { value: INK }, strokeDash: { value: [4, 3] } },
          },
        },
      },
      {
        type: "text",
        from: { data: "lines" },
        encode: {
          update: {
            ...{ x: { scale: "x", field: "x" }, y: { value: -6 }, align: { value: "right" } },
            ...{ text: { field: "label" }, fill: { value: INK }, fontSize: { value: 11 } },
          },
        },
      },
      {
        type: "text",
        from: { data: "rows" },
        encode: {
          update: {
            ...{
              x: { value: 2 },
              y: { scale: "y", field: "row", band: 0.25 },
              baseline: { value: "middle" },
            },
            ...{ text: { field: "row" }, fill: { value: INK }, fontSize: { value: 11 } },
          },
        },
      },
      symbols("then", { fill: { value: "white" }, size: { value: 80 }, strokeWidth: { value: 2 } }),
      symbols("now", { fill: { scale: "colour", field: "who" }, size: { value: 60 } }),
    ],
  });
}
