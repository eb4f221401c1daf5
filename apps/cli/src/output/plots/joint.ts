import { type Heat, heatOf, logFloor, type Scale, scaleFor } from "@polybin/columns/plots";
import type { Spec } from "vega";
import { columnName, inputsName, plural, whole } from "../../base/index.ts";
import { ink } from "../paint.ts";
import type { CellsColumn, JointResult } from "../result.ts";
import { AXIS_CONFIG, axisTitleOf, titleSpec, xTicks } from "./spec.ts";

const SIDE = 512;
/** Units of the legend above its colours. */
const LEGEND_HEADING = 20;
/** More cells than this along an axis would only make the file larger. */
const MOST_CELLS = 128;

/** The heat map as a Vega specification: the first column to the right, the second one upwards. */
export function jointSpecification(result: JointResult, given: Scale | null): Spec {
  const { columns, joint } = result;
  const heat = heatOf(joint, [MOST_CELLS, MOST_CELLS]);
  const scale = given ?? scaleFor([heat.sums]);
  const tallest = Math.max(
    1,
    heat.sums.reduce((most, sum) => Math.max(most, sum), 0),
  );
  const least = scale === "log" ? Math.min(logFloor([heat.sums]), tallest / 2) : 0;
  const drawn = columns.map(drawnOf);
  const [x, y] = joint.edges.map((edges, k) => [drawn[k]!(edges[0]!), drawn[k]!(edges.at(-1)!)] as const) as [
    Ends,
    Ends,
  ];
  const [along, upwards] = columns.map(({ values }) => (values?.scale === "utc" ? "utc" : "linear")) as [
    "linear",
    "linear",
  ];
  return {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    background: "white",
    padding: 16,
    width: SIDE,
    height: SIDE,
    title: titleSpec(columns.map(nameOf).join(" × "), subtitle(result, heat)),
    config: AXIS_CONFIG,
    data: [{ name: "cells", values: cellsOf(result, heat) }],
    scales: [
      { name: "x", type: along, domain: [...x], range: [0, SIDE], nice: false, zero: false },
      { name: "y", type: upwards, domain: [...y], range: [SIDE, 0], nice: false, zero: false },
      { name: "count", type: scale, domain: [least, tallest], range: { scheme: "viridis" } },
    ],
    axes: [
      {
        orient: "bottom",
        scale: "x",
        ...axisTitleOf(titleOf(columns[0])),
        ...(along === "linear" ? xTicks(...x) : { tickCount: 6 }),
      },
      {
        orient: "left",
        scale: "y",
        ...axisTitleOf(titleOf(columns[1])),
        ...(upwards === "linear" ? xTicks(...y) : { tickCount: 6 }),
      },
    ],
    legends: [
      {
        fill: "count",
        title: scale === "log" ? "count (log scale)" : "count",
        gradientLength: SIDE - LEGEND_HEADING,
      },
    ],
    marks: [
      {
        type: "rect",
        from: { data: "cells" },
        encode: {
          update: {
            x: { scale: "x", field: "x0" },
            x2: { scale: "x", field: "x1" },
            y: { scale: "y", field: "y0" },
            y2: { scale: "y", field: "y1" },
            fill: { scale: "count", field: "count" },
          },
        },
      },
    ],
  };
}

type Ends = readonly [number, number];
type Drawn = (value: number) => number;

/** The number of a value on the axis of the plot. */
const drawnOf = ({ values }: CellsColumn): Drawn => values?.drawn ?? ((value) => value);

/** The cells that have samples, with their edges. */
function cellsOf({ columns, joint }: JointResult, { sums, size, binsEach }: Heat): object[] {
  const [ofX, ofY] = columns.map(drawnOf) as [Drawn, Drawn];
  const [x, y] = joint.edges as [Float64Array, Float64Array];
  const end = (edges: Float64Array, cell: number, each: number): number =>
    edges[Math.min(cell * each, edges.length - 1)]!;
  const cells: object[] = [];
  for (const [i, count] of sums.entries()) {
    if (count === 0) continue;
    const [row, column] = [Math.floor(i / size[1]), i % size[1]];
    cells.push({
      x0: ofX(end(x, row, binsEach[0])),
      x1: ofX(end(x, row + 1, binsEach[0])),
      y0: ofY(end(y, column, binsEach[1])),
      y1: ofY(end(y, column + 1, binsEach[1])),
      count,
    });
  }
  return cells;
}

const nameOf = ({ input, channel, values }: CellsColumn): string =>
  `${inputsName(input.name, input.files)} (${ink({ name: channel, values })})`;
/** The name of a column with the unit of its values, or of a channel and its picture. */
function titleOf(column: CellsColumn): string {
  const { values, channel } = column;
  if (values === undefined) return nameOf(column);
  return values.shown === "" ? columnName(channel) : `${columnName(channel)} (${values.shown})`;
}

function subtitle({ columns, joint, work, isMasked, merged }: JointResult, { binsEach }: Heat): string {
  const [{ input }] = columns;
  const sums = Math.max(...binsEach) > 1 ? `, drawn as sums of ${binsEach[0]} × ${binsEach[1]}` : "";
  return [
    input.width === null ? plural(input.samples, "value") : `${input.width} × ${input.height} pixels`,
    `${joint.shape[0]} × ${joint.shape[1]} bins${sums}`,
    ...(joint.flow > 0 ? [`${whole(joint.flow)} outside the bins`] : []),
    ...(isMasked ? [`${whole(joint.masked)} ${input.kind === "table" ? "null" : "masked"}`] : []),
    merged === undefined ? `${work?.backend}, ${work?.algorithm}` : `merged from ${plural(merged, "shard")}`,
  ].join(" · ");
}
