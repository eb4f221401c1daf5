import type { Spec } from "vega";
import { fixed } from "../text/numbers.ts";
import { plainName } from "../text/visible.ts";
import { CONFIG } from "./axis.ts";

/** The side of a cell at most, and of all cells together, in pixels. */
const CELL = 40;
const SIDE = 640;
/** Cells at least this wide have their number in them. */
const WITH_TEXT = 30;
const DECIMALS = 2;
const NAME = 18;
const ROOM = 118;
/** Cells from this part of the darkest colour on have light numbers. */
const DARK = 0.6;

/** A square of cells, one per pair of columns. @param values from `lo` to 1; null leaves a cell empty */
export function matrixSpec(
  columns: readonly string[],
  values: readonly (readonly (number | null)[])[],
  lo: -1 | 0,
): Spec {
  const cell = Math.max(8, Math.min(CELL, Math.floor(SIDE / columns.length)));
  const side = cell * columns.length;
  const names = columns.map((name, i) => `${i}\u0000${plainName(name, NAME)}`);
  const cells = values.flatMap((row, y) =>
    row.flatMap((value, x) =>
      value === null
        ? []
        : [{ x: names[x], y: names[y], value, text: fixed(value, DECIMALS), dark: Math.abs(value) > DARK }],
    ),
  );
  const labels = { update: { text: { signal: "split(datum.value, '\\u0000')[1]" } } };
  const place = {
    x: { scale: "x", field: "x" },
    y: { scale: "y", field: "y" },
  };
  return {
    autosize: "none",
    padding: { left: ROOM, right: 76, top: 4, bottom: ROOM },
    width: side,
    height: side,
    config: CONFIG,
    data: [{ name: "cells", values: cells }],
    scales: [
      { name: "x", type: "band", domain: names, range: [0, side] },
      { name: "y", type: "band", domain: names, range: [0, side] },
      {
        name: "colour",
        type: "linear",
        domain: [lo, 1],
        range: lo === 0 ? ["#f4f6fb", "#2456c9"] : ["#b2400a", "#f4f4f6", "#2456c9"],
        ...(lo === 0 ? {} : { domain: [-1, 0, 1] }),
      },
    ] as NonNullable<Spec["scales"]>,
    axes: [
      { orient: "left", scale: "y", domain: false, ticks: false, encode: { labels } },
      {
        orient: "bottom",
        scale: "x",
        domain: false,
        ticks: false,
        labelAngle: -60,
        labelAlign: "right",
        labelBaseline: "middle",
        encode: { labels },
      },
    ],
    legends: [{ fill: "colour", gradientLength: Math.min(side, 160), tickCount: 3 }],
    marks: [
      {
        type: "rect",
        from: { data: "cells" },
        encode: {
          update: {
            ...place,
            width: { value: cell - 1 },
            height: { value: cell - 1 },
            fill: { scale: "colour", field: "value" },
          },
        },
      },
      ...(cell < WITH_TEXT
        ? []
        : [
            {
              type: "text" as const,
              from: { data: "cells" },
              encode: {
                update: {
                  x: { scale: "x", field: "x", offset: cell / 2 },
                  y: { scale: "y", field: "y", offset: cell / 2 },
                  align: { value: "center" },
                  baseline: { value: "middle" },
                  text: { field: "text" },
                  fill: [{ test: "datum.dark", value: "#fff" }, { value: "#1c1d21" }],
                },
              },
            },
          ]),
    ],
  } as Spec;
}
