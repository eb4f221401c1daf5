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

/** The most rows of a map. A character is about twice as tall as it is wide. */
const MOST_ROWS = 40;
/** The width of a character as a share of its height. */
const CELL_ASPECT = 0.55;
/** Characters of a cell from which on one more or less is hardly seen. */
const WIDE_ENOUGH = 2;
/** Columns that the vertical axis takes in addition to its labels. */
const AXIS_WIDTH = 2;
/** The densest block is the tallest count. A cell without samples is blank. */
const BLOCKS = ["░", "▒", "▓", "█"];
/**
 * Blue, teal, green and yellow of the 256 colours of terminals. The densest cell differs most from the background, so it is
 * light on a dark terminal and dark on a light one.
 */
const FROM_DARK: readonly number[] = [17, 18, 19, 25, 31, 37, 36, 35, 71, 107, 143, 179, 221, 227, 229];
const FROM_LIGHT: readonly number[] = FROM_DARK.toReversed();
/** On an unknown background, density shows the counts. This colour is seen on both. */
const BLUE = 32;

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
  const room = width - labels - AXIS_WIDTH;
  const most = Math.min(MOST_ROWS, Math.round(room * CELL_ASPECT));
  const heat = heatOf(joint, [room, most]);
  const scale = given ?? scaleFor([heat.sums]);
  const [x, y] = [enlarged(heat.size[0], room), enlarged(heat.size[1], most)];
  const ticks = valueTicks(
    joint.axes[1]!,
    joint.edges[1]!,
    (joint.shape[1]! / heat.binsEach[1] / heat.size[1]) * y,
    TICK_ROWS,
    vertical?.ticks,
  );
  const labelOf = vertical?.text ?? edge;
  // A tick between two days has a time, so it may be wider than the ends of the axis.
  const widest = Math.max(0, ...ticks.map(({ value }) => labelOf(value).length));
  if (widest > labels) return map(result, given, page, widest);
  const paint = painter(heat, scale, colour ? (page.background ?? "unknown") : null);
  const lines = [heading(columns, heat, joint.sum(), scale)].map((text) => wrapAnsi(text, width));
  for (let row = y - 1; row >= 0; row--) {
    const up = Math.floor((row * heat.size[1]) / y);
    const cells = Array.from({ length: heat.size[0] }, (_, i) => {
      const wide = Math.ceil(((i + 1) * x) / heat.size[0]) - Math.ceil((i * x) / heat.size[0]);
      return paint(heat.sums[i * heat.size[1] + up]!, wide);
    });
    // The lowest row of a value carries its label. The upper end of the axis is at the top row.
    const tick = ticks.find(({ at }) => Math.min(Math.floor(at), y - 1) === row);
    const label = tick === undefined ? "" : labelOf(tick.value);
    lines.push(`${label.padStart(labels)} ${tick ? "┤" : "│"}${cells.join("")}`.trimEnd());
  }
  const wide = (joint.shape[0]! / heat.binsEach[0] / heat.size[0]) * x;
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

/** Fills the room if cells are then wide enough to look alike. */
function enlarged(cells: number, room: number): number {
  return room >= WIDE_ENOUGH * cells ? room : cells;
}

/** Draws one cell: a block whose density or colour is its count. @param background null for no colours */
function painter(
  { sums }: Heat,
  scale: Scale,
  background: "dark" | "light" | "unknown" | null,
): (sum: number, times: number) => string {
  const tallest = sums.reduce((most, sum) => Math.max(most, sum), 0);
  const foot = scale === "log" ? logFloor([sums]) : null;
  const step = (sum: number, steps: number): number =>
    Math.min(Math.floor(heightOf(sum, tallest, foot) * steps), steps - 1);
  const coloured = (colour: number, text: string): string => `\u001b[38;5;${colour}m${text}\u001b[39m`;
  return (sum, times) => {
    if (sum === 0) return " ".repeat(times);
    const block = BLOCKS[step(sum, BLOCKS.length)]!.repeat(times);
    if (background === null) return block;
    if (background === "unknown") return coloured(BLUE, block);
    const colours = background === "dark" ? FROM_DARK : FROM_LIGHT;
    return coloured(colours[step(sum, colours.length)]!, "█".repeat(times));
  };
}

/** The width of the labels of the vertical axis. */
function rowLabels(edges: Float64Array, text: (value: number) => string = edge): number {
  const found = [edges[0]!, edges.at(-1)!, (edges[0]! + edges.at(-1)!) / 2];
  return Math.max(...found.map((value) => text(value).length));
}
