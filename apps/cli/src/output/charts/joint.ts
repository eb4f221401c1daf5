import { mutualInformation, normalizedMutualInformation } from "@polybin/analysis";
import { type Heat, heatOf, heightOf, logFloor, type Scale, scaleFor } from "@polybin/columns/plots";
import { wrapAnsi } from "fast-wrap-ansi";
import { edge, inputsName, plural, whole } from "../../base/index.ts";
import { emptyLine, type Page, stdoutPage } from "../../terminal/index.ts";
import { ink } from "../paint.ts";
import type { CellsColumn, JointResult } from "../result.ts";
import { titleOf } from "../title.ts";
import { axisLines, TICK_ROWS, valueTicks } from "./axis.ts";
import { work } from "./chart.ts";

/** The largest map, in characters. A character is about twice as tall as it is wide. */
const MOST_COLUMNS = 64;
const MOST_ROWS = 32;
/** The factor by which a map of few bins is enlarged at most. */
const MOST_ZOOM = 4;
/** Columns that the vertical axis takes in addition to its labels. */
const AXIS_WIDTH = 2;
/** The densest block is the tallest count. A cell without samples is blank. */
const BLOCKS = ["░", "▒", "▓", "█"];
/** From dark to light, of the 256 colours of terminals: blue, teal, green, yellow. */
const COLOURS: readonly number[] = [17, 18, 19, 25, 31, 37, 36, 35, 71, 107, 143, 179, 221, 227, 229];

/** The choices of the user. */
interface Chosen {
  readonly scale: Scale | null;
  /** Whether `auto` chose the backend. */
  readonly byAuto: boolean;
}

/** The result as a heat map for a terminal: the first column to the right, the second one upwards. */
export function jointChart(result: JointResult, chosen: Chosen, page: Page = stdoutPage()): string {
  const { columns, joint } = result;
  const wrapped = (text: string): string => wrapAnsi(text, page.width);
  const titles = columns.map(({ input, channel, values }, k) =>
    wrapped(
      `${"xy"[k]}: ${ink({ name: channel, values })} of ${titleOf(input, joint.axes[k]!, joint.edges[k]!, values?.text)}`,
    ),
  );
  const [{ input }] = columns;
  if (input.samples === 0) return `${titles.join("\n")}\n\n${emptyLine(input.name)}\n`;
  const lines = [
    ...titles,
    "",
    ...map(result, chosen.scale, page),
    "",
    ...numbers(result).map(wrapped),
    ...foot(result, chosen, page),
  ];
  return `${lines.join("\n")}\n`;
}

function foot({ work: how, merged, timings, bytes }: JointResult, chosen: Chosen, page: Page): string[] {
  if (merged !== undefined) return [`merged from ${plural(merged, "shard")}`];
  return how === null ? [] : [work({ work: how, timings, bytes }, chosen, page)];
}

/** The information of the bins. Samples outside of them take no part. */
function numbers({ columns, joint, isMasked }: JointResult): string[] {
  const isTable = columns[0].input.kind === "table";
  const outside = [
    ...(joint.flow > 0 ? [`outside the bins: ${whole(joint.flow)}`] : []),
    ...(isMasked ? [`${isTable ? "null in one of both" : "masked"}: ${whole(joint.masked)}`] : []),
  ];
  if (joint.sum() === 0) return outside;
  const normalized = normalizedMutualInformation(joint);
  const words = Number.isNaN(normalized)
    ? "normalized: undefined, since all samples lie in one cell"
    : `normalized: ${normalized.toFixed(4)} (1: independent, 2: each determines the other)`;
  return [
    ...outside,
    `mutual information: ${mutualInformation(joint, { base: 2 }).toFixed(4)} bits · ${words}`,
  ];
}

/** A heading, the rows of the map from the top, and the horizontal axis. Labels take `least` columns or more. */
function map(result: JointResult, given: Scale | null, page: Page, least = 0): string[] {
  const { columns, joint } = result;
  const { width, colour } = page;
  const [horizontal, vertical] = columns.map(({ values }) => values);
  const labels = Math.max(least, rowLabels(joint.edges[1]!, vertical?.text));
  const room = Math.min(MOST_COLUMNS, width - labels - AXIS_WIDTH);
  const heat = heatOf(joint, [room, MOST_ROWS]);
  const scale = given ?? scaleFor([heat.sums]);
  const zoom = zoomOf(heat, room);
  const [x, y] = [heat.size[0] * zoom.x, heat.size[1] * zoom.y];
  const ticks = valueTicks(
    joint.axes[1]!,
    joint.edges[1]!,
    (joint.shape[1]! / heat.binsEach[1]) * zoom.y,
    TICK_ROWS,
    vertical?.ticks,
  );
  const labelOf = vertical?.text ?? edge;
  // A tick between two days has a time, so it may be wider than the ends of the axis.
  const widest = Math.max(0, ...ticks.map(({ value }) => labelOf(value).length));
  if (widest > labels) return map(result, given, page, widest);
  const paint = painter(heat, scale, colour);
  const lines = [heading(columns, heat, joint.sum(), scale)].map((text) => wrapAnsi(text, width));
  for (let row = y - 1; row >= 0; row--) {
    const cells = Array.from({ length: heat.size[0] }, (_, i) =>
      paint(heat.sums[i * heat.size[1] + Math.floor(row / zoom.y)]!, zoom.x),
    );
    // The lowest row of a value carries its label. The upper end of the axis is at the top row.
    const tick = ticks.find(({ at }) => Math.min(Math.floor(at), y - 1) === row);
    const label = tick === undefined ? "" : labelOf(tick.value);
    lines.push(`${label.padStart(labels)} ${tick ? "┤" : "│"}${cells.join("")}`.trimEnd());
  }
  const wide = (joint.shape[0]! / heat.binsEach[0]) * zoom.x;
  const along = valueTicks(joint.axes[0]!, joint.edges[0]!, wide, undefined, horizontal?.ticks);
  const [rule, under] = axisLines(along, x, horizontal?.text);
  lines.push(`${" ".repeat(labels)} └${rule}`, `${" ".repeat(labels + AXIS_WIDTH)}${under}`);
  return lines;
}

function heading(
  columns: readonly [CellsColumn, CellsColumn],
  { binsEach }: Heat,
  sum: number,
  scale: Scale,
): string {
  const [x, y] = columns.map(
    ({ input, channel, values }) =>
      `${ink({ name: channel, values })} of ${inputsName(input.name, input.files)}`,
  );
  const parts = [`${y} upwards, ${x} to the right`, `${whole(sum)} counted`, `${scale} scale`];
  if (Math.max(...binsEach) > 1) parts.push(`sums of ${binsEach[0]} x ${binsEach[1]} bins`);
  return parts.join(" · ");
}

/** Characters per cell: about a square, and larger if there are few cells. */
function zoomOf({ size }: Heat, room: number): { readonly x: number; readonly y: number } {
  const fits = Math.floor(Math.min(room / (2 * size[0]), MOST_ROWS / size[1], MOST_ZOOM));
  return fits === 0 ? { x: 1, y: 1 } : { x: 2 * fits, y: fits };
}

/** Draws one cell: a block whose density, and with colours whose colour, is its count. */
function painter({ sums }: Heat, scale: Scale, colour: boolean): (sum: number, times: number) => string {
  const tallest = sums.reduce((most, sum) => Math.max(most, sum), 0);
  const foot = scale === "log" ? logFloor([sums]) : null;
  const step = (sum: number, steps: number): number =>
    Math.min(Math.floor(heightOf(sum, tallest, foot) * steps), steps - 1);
  return (sum, times) => {
    if (sum === 0) return " ".repeat(times);
    if (!colour) return BLOCKS[step(sum, BLOCKS.length)]!.repeat(times);
    return `\u001b[38;5;${COLOURS[step(sum, COLOURS.length)]}m${"█".repeat(times)}\u001b[39m`;
  };
}

/** The width of the labels of the vertical axis. */
function rowLabels(edges: Float64Array, text: (value: number) => string = edge): number {
  const found = [edges[0]!, edges.at(-1)!, (edges[0]! + edges.at(-1)!) / 2];
  return Math.max(...found.map((value) => text(value).length));
}
