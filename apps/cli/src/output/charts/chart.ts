import { columnsOf, heightOf, logFloor, type Scale, scaleFor } from "@polybin/columns/plots";
import type { Histogram } from "@polybin/core";
import { wrapAnsi } from "fast-wrap-ansi";
import { duration, edge, plural, printable, throughput, whole } from "../../base/index.ts";
import type { View } from "../../options/index.ts";
import { emptyLine, type Page, stdoutPage } from "../../terminal/index.ts";
import { ink, type Paint, paintFor } from "../paint.ts";
import type { Channel, Result } from "../result.ts";
import { titleOf } from "../title.ts";
import { axisLines, type Counts, countAxis, valueTicks } from "./axis.ts";
import { placeOf } from "./percentiles.ts";
import { statsInWords } from "./stats.ts";

/** Up to this number of bins, each has a line with its edges. More are drawn as columns. */
const LISTED_BINS = 24;
/** The most rows of a panel, alone and with others. */
const ROWS = 10;
const ROWS_OF_MANY = 7;
/** Columns that the vertical axis takes in addition to its label. */
const AXIS_WIDTH = 2;
/** The widest that a column is drawn if there are few. */
const MOST_COLUMN = 4;

const EIGHTHS = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const STEPS = 8;

/** The choices of the user. */
export interface Chosen {
  readonly view: View;
  /** Whether `auto` chose the backend. */
  readonly byAuto: boolean;
}

/** The result as a chart for a terminal. */
export function toChart(result: Result, chosen: Chosen, page: Page = stdoutPage()): string {
  const { axis, edges } = result.channels[0]!.histogram;
  const title = wrapAnsi(titleOf(result.input, axis, edges), page.width);
  if (result.input.samples === 0) return `${title}\n\n${emptyLine(result.input.name)}\n`;
  const masked = result.masked === null ? [] : [`masked: ${whole(result.masked)}`];
  return [
    title,
    ...masked,
    "",
    ...panels(result.channels, chosen.view, page),
    result.merged === undefined
      ? work(result, chosen, page)
      : `merged from ${plural(result.merged, "shard")}`,
    "",
  ].join("\n");
}

/** One panel per channel, all on one kind of scale. @param isShared whether all have the same scale */
export function panels(
  channels: readonly Channel[],
  view: View,
  page: Page,
  {
    isShared = false,
    rows: most = null,
  }: { readonly isShared?: boolean; readonly rows?: number | null } = {},
): string[] {
  const { bins } = channels[0]!.histogram;
  const all = channels.map(({ histogram }) => histogram.counts);
  const scale = view.scale ?? scaleFor(all);
  const foot = scale === "log" ? logFloor(all) : null;
  const rows = most ?? (channels.length > 1 ? ROWS_OF_MANY : ROWS);
  const shared = isShared ? Math.max(...channels.map(({ histogram }) => tallestOf(histogram))) : null;
  return channels.flatMap((channel) => {
    const paint = paintFor(channel, page.colour);
    const { histogram } = channel;
    if (bins <= LISTED_BINS) {
      const tallest = shared ?? tallestOf(histogram);
      return [...heading(channel, scale, 1, view, page), ...list(channel, [tallest, foot], page, paint), ""];
    }
    const counts = countAxis(shared ?? tallestOf(histogram), rows, foot);
    const room = page.width - labelOf(counts) - AXIS_WIDTH;
    const { binsEach } = columnsOf(histogram.counts, room);
    return [...heading(channel, scale, binsEach, view, page), ...columns(channel, counts, room, paint), ""];
  });
}

/** The lines about the backend and the time that it took. */
export function work(
  { work, timings, bytes }: Pick<Result, "work" | "timings" | "bytes">,
  { byAuto }: Pick<Chosen, "byAuto">,
  { width }: Page,
): string {
  const { backend, device, algorithm } = work;
  return [
    `${backend} (${printable(device ?? "")}), ${algorithm}${byAuto ? "; chosen by auto" : ""}`,
    waited(timings, bytes),
  ]
    .map((line) => wrapAnsi(line, width))
    .join("\n");
}

/** With fewer bytes, the time is that of the start. */
const TIMED_BYTES = 2 ** 16;

/** The time that the user waited since the command began, and its parts. */
function waited({ readMs, uploadMs, kernelMs }: Result["timings"], bytes: number): string {
  const totalMs = performance.now();
  const speed = bytes >= TIMED_BYTES ? ` (${throughput(bytes, totalMs)})` : "";
  const parts = [
    ...(readMs > 0 ? [`read and decoded in ${duration(readMs)}`] : []),
    ...(uploadMs > 0 ? [`uploaded in ${duration(uploadMs)}`] : []),
    `counted in ${duration(kernelMs)}`,
  ];
  return `${duration(totalMs)} in total${speed}: ${parts.join(", ")}`;
}

/** The channel's name and its sum; below it the samples outside the bins, the percentiles and other numbers. */
function heading(
  channel: Channel,
  scale: Scale,
  binsEach: number,
  { percentiles }: View,
  { width, colour }: Page,
): string[] {
  const { histogram, stats, values } = channel;
  const name = ink(channel);
  const parts = [`${whole(histogram.sum())} counted`, `${scale} scale`];
  if (binsEach > 1) parts.push(`tallest of each ${binsEach} bins`);
  const text = wrapAnsi(`${name} ${parts.join(" · ")}`, width);
  const rule = "─".repeat(Math.max(0, width - text.length - 1));
  const outside = (["underflow", "overflow", "nan"] as const)
    .filter((flow) => histogram[flow] > 0)
    .map((flow) => `${flow} ${whole(histogram[flow])}`);
  const words = stats === undefined ? null : statsInWords(stats);
  const found = percentiles.map((percent) => `${percent.text}% ${placeOf(histogram, percent, values?.text)}`);
  return [
    `${paintFor(channel, colour)(name)}${text.slice(name.length)}${text.includes("\n") ? "" : ` ${rule}`}`.trimEnd(),
    ...(outside.length > 0 ? [listed("outside the bins", outside, width)] : []),
    ...(found.length > 0 ? [listed("percentiles", found, width)] : []),
    ...(words === null
      ? []
      : [listed("numbers", words.numbers, width), listed("thresholds", words.thresholds, width)]),
  ];
}

/** A label and its items, which are not broken across lines. */
function listed(label: string, items: readonly string[], width: number): string {
  const unbroken = items.map((item) => item.replaceAll(" ", "\u00a0")).join(" · ");
  return wrapAnsi(`${label}: ${unbroken}`, width).replaceAll("\u00a0", " ");
}

function tallestOf({ counts }: Histogram): number {
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** The width of the labels of the vertical axis. */
function labelOf({ foot, ticks }: Counts): number {
  return Math.max(...[foot, ...ticks.map(({ value }) => value)].map((count) => whole(count).length));
}

function columns({ histogram, values }: Channel, counts: Counts, room: number, paint: Paint): string[] {
  const { axis, edges, bins } = histogram;
  const { rows, foot, top, ticks } = counts;
  const left = labelOf(counts);
  const { heights, binsEach } = columnsOf(histogram.counts, room);
  const repeat = Math.max(1, Math.min(MOST_COLUMN, Math.floor(room / heights.length)));
  const steps = heights.map((height) => {
    const exact = heightOf(height, top, foot === 0 ? null : foot) * rows * STEPS;
    // A bin with a single sample is seen, too.
    return height > 0 ? Math.max(1, Math.round(exact)) : 0;
  });
  const lines: string[] = [];
  for (let row = rows; row > 0; row--) {
    const cells = steps.map((step) => {
      const filled = Math.min(Math.max(step - (row - 1) * STEPS, 0), STEPS);
      return (EIGHTHS[filled] || " ").repeat(repeat);
    });
    const tick = ticks.find(({ at }) => at === row);
    const label = tick === undefined ? "" : whole(tick.value);
    lines.push(`${label.padStart(left)} ${tick ? "┤" : "│"}${paint(cells.join("").trimEnd())}`);
  }
  const [rule, labels] = axisLines(
    valueTicks(axis, edges, (bins / binsEach) * repeat, undefined, values?.ticks),
    heights.length * repeat,
    values?.text,
  );
  lines.push(`${whole(foot).padStart(left)} └${rule}`, `${" ".repeat(left + 2)}${labels}`);
  return lines.map((line) => line.trimEnd());
}

function list(
  { histogram, names, values }: Channel,
  [tallest, floor]: readonly [number, number | null],
  { width }: Page,
  paint: Paint,
): string[] {
  const { counts, edges, bins, axis } = histogram;
  const text = values?.text ?? edge;
  const labels = Array.from(counts, (_, bin) => {
    if (names !== undefined) return names[bin]!;
    if (axis.type === "integer") return text(edges[bin]!);
    return `[${text(edges[bin]!)}, ${text(edges[bin + 1]!)}${bin === bins - 1 ? "]" : ")"}`;
  });
  const left = Math.max(...labels.map((label) => label.length));
  const right = whole(tallest).length;
  const room = Math.max(1, width - left - right - 3);
  return Array.from(counts, (count, bin) => {
    const exact = Math.round(heightOf(count, tallest, floor) * room * STEPS);
    const steps = count > 0 ? Math.max(1, exact) : 0;
    const bar = "█".repeat(Math.floor(steps / STEPS)) + LEFT_EIGHTHS[steps % STEPS]!;
    return `${labels[bin]!.padStart(left)} ${whole(count).padStart(right)} ${paint(bar)}`.trimEnd();
  });
}
