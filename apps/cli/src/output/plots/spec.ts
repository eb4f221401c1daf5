import { columnsOf, logFloor, type Scale, scaleFor } from "@polybin/columns/plots";
import type { Axis, Config, GroupMark, Mark, Spec, Scale as VegaScale } from "vega";
import { inputName, plural, whole } from "../../base/index.ts";
import { ink, plotColour } from "../paint.ts";
import type { Channel, Result } from "../result.ts";

/** Units of a plot. */
export const WIDTH = 760;
export const HEIGHT = 300;
/** The height of each of several panels. */
export const PANEL_HEIGHT = 150;
const PANEL_GAP = 54;
/** More points than pixels would only make the file larger. */
export const MOST_COLUMNS = 1024;
/** The font of all texts. */
const FONT = "Helvetica, Arial, sans-serif";

/** The plot as a Vega specification: one panel per channel, above each other, with the same axis. */
export function specification(result: Result, scale: Scale | null): Spec {
  const { channels } = result;
  const { edges, bins } = channels[0]!.histogram;
  const all = channels.map(({ histogram }) => histogram.counts);
  // Half of the smallest power of ten, so that a bin with exactly this count is seen.
  const floor = (scale ?? scaleFor(all)) === "log" ? logFloor(all) / 2 : null;
  const height = channels.length === 1 ? HEIGHT : PANEL_HEIGHT;
  const { binsEach } = columnsOf(channels[0]!.histogram.counts, MOST_COLUMNS);
  const [title, subtitle] = titles(result, binsEach);
  return {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    background: "white",
    padding: 16,
    width: WIDTH,
    height: channels.length * height + (channels.length - 1) * PANEL_GAP,
    title: titleSpec(title, subtitle),
    config: AXIS_CONFIG,
    data: channels.map((channel, i) => ({ name: `bins${i}`, values: points(channel, floor) })),
    scales: [
      {
        name: "x",
        type: "linear",
        domain: [edges[0]!, edges[bins]!],
        range: [0, WIDTH],
        nice: false,
        zero: false,
      },
    ],
    marks: channels.map((channel, i) => panel(channel, i, height, floor, i === channels.length - 1)),
  };
}

/** The fonts of axes. */
export const AXIS_CONFIG: Config = {
  axis: { labelFont: FONT, titleFont: FONT, titleFontWeight: "normal" },
  legend: { labelFont: FONT, titleFont: FONT, titleFontWeight: "normal" },
};

/** The heading of a plot. */
export function titleSpec(text: string, subtitle: string): NonNullable<Spec["title"]> {
  return {
    text,
    subtitle,
    anchor: "start",
    fontSize: 16,
    subtitleFontSize: 12,
    subtitleColor: "#555",
    offset: 12,
    font: FONT,
    subtitleFont: FONT,
  };
}

function titles({ input, channels, work, merged }: Result, binsEach: number): [string, string] {
  const { axis } = channels[0]!.histogram;
  const { backend, algorithm } = work;
  const how = merged === undefined ? `${backend}, ${algorithm}` : `merged from ${plural(merged, "shard")}`;
  const size =
    input.width === null ? plural(input.samples, "value") : `${input.width} × ${input.height} pixels`;
  const note = binsEach > 1 ? `, drawn as the tallest of each ${binsEach}` : "";
  return [inputName(input.name), `${size} of ${input.type} · ${plural(axis.bins, "bin")}${note} · ${how}`];
}

/** One point at the left edge of each column and one at the right edge of the last. */
function points({ histogram }: Channel, floor: number | null): { readonly x: number; readonly y: number }[] {
  const { counts, edges, bins } = histogram;
  const { heights, binsEach } = columnsOf(counts, MOST_COLUMNS);
  const drawn = heights.map((height, column) => ({
    x: edges[column * binsEach]!,
    y: Math.max(height, floor ?? 0),
  }));
  drawn.push({ x: edges[bins]!, y: drawn.at(-1)!.y });
  return drawn;
}

function panel(channel: Channel, i: number, height: number, floor: number | null, last: boolean): Mark {
  const { histogram } = channel;
  const { scale, axis } = countsSpec([histogram.counts], height, floor);
  return {
    type: "group",
    encode: {
      update: { y: { value: i * (height + PANEL_GAP) }, width: { value: WIDTH }, height: { value: height } },
    },
    title: panelTitle(channel),
    scales: [scale],
    axes: [
      axis,
      {
        orient: "bottom",
        scale: "x",
        ...xTicks(histogram.edges[0]!, histogram.edges[histogram.bins]!),
        ...(last ? { title: axisTitle(channel.histogram.type) } : {}),
      },
    ],
    marks: [
      {
        type: "area",
        from: { data: `bins${i}` },
        encode: {
          update: {
            x: { scale: "x", field: "x" },
            y: { scale: "y", field: "y" },
            y2: { value: height },
            interpolate: { value: "step-after" },
            fill: { value: plotColour(channel) },
            fillOpacity: { value: 0.85 },
          },
        },
      },
    ],
  };
}

/** The line above a panel: what was counted, and what lies outside the bins. */
export function panelTitle(channel: Channel): NonNullable<GroupMark["title"]> {
  const { histogram } = channel;
  const flows = (["underflow", "overflow", "nan"] as const).filter((flow) => histogram[flow] > 0);
  const beside = flows.map((flow) => `${flow} ${whole(histogram[flow])}`).join(", ");
  return {
    text: `${ink(channel)}: ${whole(histogram.sum())} counted${beside === "" ? "" : `, ${beside}`}`,
    anchor: "start",
    frame: "group",
    fontSize: 12,
    fontWeight: "normal",
    color: plotColour(channel),
    offset: 6,
    font: FONT,
  };
}

const tallestIn = (counts: Float64Array): number => counts.reduce((most, count) => Math.max(most, count), 0);

/** The vertical axis of a panel. @param shared the counts of all panels with this axis @param floor where a logarithmic scale begins, or null for a linear one */
export function countsSpec(
  shared: readonly Float64Array[],
  height: number,
  floor: number | null,
): { readonly scale: VegaScale; readonly axis: Axis } {
  const tallest = Math.max(1, ...shared.map(tallestIn));
  const scale: VegaScale =
    floor !== null
      ? { name: "y", type: "log", domain: [floor, tallest], range: [height, 0] }
      : { name: "y", type: "linear", domain: [0, tallest], range: [height, 0], nice: true };
  const axis: Axis = {
    orient: "left",
    scale: "y",
    title: floor !== null ? "count (log scale)" : "count",
    grid: true,
    gridColor: "#e8e8e8",
    domain: false,
    encode: { labels: { update: { text: { signal: "format(datum.value, '~s')" } } } },
    ...(floor !== null
      ? { values: powersOfTen(floor, tallest) }
      : { tickCount: Math.min(tallest, Math.round(height / 40)) }),
  };
  return { scale, axis };
}

/** The whole range of an integer type has ticks at its eighths, which are round in binary. */
export function xTicks(lo: number, hi: number): { values: number[] } | { tickCount: number } {
  const span = hi - lo;
  if (span < 256 || !Number.isInteger(Math.log2(span))) return { tickCount: 10 };
  return { values: Array.from({ length: 9 }, (_, i) => lo + (i * span) / 8) };
}

/** The title of an axis. Vega looks up some texts, such as constructor, unless they are computed. */
export function axisTitleOf(text: string): {
  readonly title: string;
  readonly encode: NonNullable<Axis["encode"]>;
} {
  const signal = `join(${JSON.stringify([...text])}, '')`;
  return { title: "value", encode: { title: { update: { text: { signal } } } } };
}

/** The unit of a value that nothing else names. */
function axisTitle(type: string): string {
  return /^[iu]/.test(type) ? `value (${type.slice(1)}-bit integer)` : `value (${type.slice(1)}-bit float)`;
}

function powersOfTen(floor: number, tallest: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(floor)), Math.floor(Math.log10(tallest))];
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}
