import type { Histogram } from "@polybin/core";
import type { Channel, Result } from "../result.ts";
import { columnsOf, heightOf, logFloor, scaleFor } from "./columns.ts";
import { ink, type Paint, paintFor } from "./paint.ts";
import { titleOf } from "./title.ts";
import { edge, milliseconds, throughput, whole } from "./words.ts";

/** Up to so many bins are listed one a line, with their edges; more are drawn as columns. */
const LISTED_BINS = 24;
/** Rows of a panel, by how many panels there are. */
const ROWS = 8;
const ROWS_OF_MANY = 5;
const NARROW = 40;
const WIDE = 160;
const DEFAULT_WIDTH = 80;
/** Columns that the vertical axis takes beside its label. */
const AXIS_WIDTH = 2;
/** A column of a few bins is at most so wide. */
const MOST_COLUMN = 4;

const EIGHTHS = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const LEFT_EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
const STEPS = 8;

/** How wide a chart may be, and whether it may have colours. */
export interface Page {
  readonly width: number;
  readonly colour: boolean;
}

/** The page that stdout is. */
export function stdoutPage(): Page {
  const width = process.stdout.columns || Number(process.env.COLUMNS) || DEFAULT_WIDTH;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : process.stdout.isTTY === true;
  return { width: Math.min(Math.max(width, NARROW), WIDE), colour };
}

/** The result as a chart for a terminal. */
export function toChart(result: Result, page: Page = stdoutPage()): string {
  const { axis, edges } = result.channels[0]!.histogram;
  return [titleOf(result.input, axis, edges), "", ...panels(result.channels, page), work(result), ""].join(
    "\n",
  );
}

/** One panel a channel, all on one kind of scale. */
export function panels(channels: readonly Channel[], page: Page): string[] {
  const { bins } = channels[0]!.histogram;
  const all = channels.map(({ histogram }) => histogram.counts);
  const floor = scaleFor(all) === "log" ? logFloor(all) : null;
  const rows = channels.length > 1 ? ROWS_OF_MANY : ROWS;
  return channels.flatMap((channel) => {
    const paint = paintFor(channel.name, page.colour);
    const { histogram } = channel;
    const listed = bins <= LISTED_BINS;
    const room = page.width - labelOf(histogram).length - AXIS_WIDTH;
    const binsEach = listed ? 1 : columnsOf(histogram.counts, room).binsEach;
    const body = listed ? list(histogram, floor, page, paint) : columns(histogram, floor, rows, room, paint);
    return [...heading(channel, floor, binsEach, page), ...body, ""];
  });
}

function work({ channels, timings, bytes }: Result): string {
  const { backend, device, algorithm } = channels[0]!.histogram;
  const speed = bytes > 0 && timings.kernelMs > 0 ? ` (${throughput(bytes, timings.kernelMs)})` : "";
  return (
    `${backend} (${device}), ${algorithm}\n` +
    `counted in ${milliseconds(timings.kernelMs)}${speed}, ` +
    `${milliseconds(timings.totalMs)} in all`
  );
}

/** The channel's name and its sum; below it whatever fell outside the bins. */
function heading(
  { name, histogram }: Channel,
  floor: number | null,
  binsEach: number,
  { width, colour }: Page,
): string[] {
  const parts = [`${whole(histogram.sum())} counted`, floor === null ? "linear scale" : "log scale"];
  if (binsEach > 1) parts.push(`tallest of each ${binsEach} bins`);
  const text = ` ${parts.join(" · ")}`;
  const rule = "─".repeat(Math.max(0, width - ink(name).length - text.length - 1));
  const outside = (["underflow", "overflow", "nan"] as const)
    .filter((flow) => histogram[flow] > 0)
    .map((flow) => `${flow} ${whole(histogram[flow])}`);
  return [
    `${paintFor(name, colour)(ink(name))}${text} ${rule}`.trimEnd(),
    ...(outside.length > 0 ? [`outside the bins: ${outside.join(" · ")}`] : []),
  ];
}

function tallestOf({ counts }: Histogram): number {
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** The label of the vertical axis. */
function labelOf(histogram: Histogram): string {
  return whole(tallestOf(histogram));
}

function columns(
  histogram: Histogram,
  floor: number | null,
  rows: number,
  room: number,
  paint: Paint,
): string[] {
  const { counts, edges, bins } = histogram;
  const tallest = tallestOf(histogram);
  const label = labelOf(histogram);
  const foot = whole(floor ?? 0);
  const { heights, binsEach } = columnsOf(counts, room);
  const repeat = Math.max(1, Math.min(MOST_COLUMN, Math.floor(room / heights.length)));
  const drawn = heights.length * repeat;
  const steps = heights.map((height) => {
    const exact = heightOf(height, tallest, floor) * rows * STEPS;
    // What is there is seen, however small.
    return height > 0 ? Math.max(1, Math.round(exact)) : 0;
  });
  const lines: string[] = [];
  for (let row = rows - 1; row >= 0; row--) {
    const cells = steps.map((step) => {
      const filled = Math.min(Math.max(step - row * STEPS, 0), STEPS);
      return (EIGHTHS[filled] || " ").repeat(repeat);
    });
    const at = row === rows - 1 ? label : row === 0 ? foot : "";
    lines.push(
      `${at.padStart(label.length)} ${row === rows - 1 || row === 0 ? "┤" : "│"}${paint(cells.join("").trimEnd())}`,
    );
  }
  lines.push(`${" ".repeat(label.length + 1)}└${"─".repeat(drawn)}`);
  lines.push(`${" ".repeat(label.length + 2)}${ticks(edges, binsEach, heights.length, repeat, drawn)}`);
  return lines.map((line) => line.trimEnd());

  function ticks(of: Float64Array, each: number, count: number, wide: number, length: number): string {
    let text = "";
    const last = edge(of[bins]!);
    for (let part = 0; part < 4; part++) {
      const column = Math.round((count * part) / 4);
      const at = column * wide;
      const label = edge(of[column * each]!);
      if (part > 0 && at < text.length + 2) continue;
      if (at + label.length + 2 > length - last.length) break;
      text = text.padEnd(at) + label;
    }
    return text.padEnd(Math.max(length - last.length, text.length + 1)) + last;
  }
}

function list(histogram: Histogram, floor: number | null, { width }: Page, paint: Paint): string[] {
  const { counts, edges, bins, axis } = histogram;
  const tallest = tallestOf(histogram);
  const labels = Array.from(counts, (_, bin) => {
    if (axis.type === "integer") return edge(edges[bin]!);
    return `[${edge(edges[bin]!)}, ${edge(edges[bin + 1]!)}${bin === bins - 1 ? "]" : ")"}`;
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
