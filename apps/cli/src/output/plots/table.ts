import { columnsOf, logFloor, scaleFor } from "@polybin/columns/plots";
import type { Axis, Mark, Spec, Scale as VegaScale } from "vega";
import { inputsName, plural } from "../../base/index.ts";
import type { View } from "../../options/index.ts";
import { channelsOf } from "../channels.ts";
import { tableTitle } from "../charts/table.ts";
import { plotColour } from "../paint.ts";
import type { Channel, TableResult } from "../result.ts";
import {
  AXIS_CONFIG,
  axisTitleOf,
  countsSpec,
  HEIGHT,
  MOST_COLUMNS,
  PANEL_HEIGHT,
  panelTitle,
  titleSpec,
  WIDTH,
  xTicks,
} from "./spec.ts";

/** Pixels between panels, for an axis with a title and the name of the next panel. */
const GAP = 72;
const TIME_TICKS = 8;
/** The most panels of a plot. */
const MOST_PANELS = 64;

/** The plot as a Vega specification: one panel per column and group, above each other, each with its own axis. */
export function tableSpecification(result: TableResult, view: View): Spec {
  const all = result.columns.flatMap((column) => {
    const own = channelsOf(column, result, view);
    // Only groups of one column can be compared.
    const shared = result.by === null ? null : own.map(({ histogram }) => histogram.counts);
    return own.map((channel) => ({ channel, shared: shared ?? [channel.histogram.counts] }));
  });
  const channels = all.slice(0, MOST_PANELS);
  const height = channels.length === 1 ? HEIGHT : PANEL_HEIGHT;
  const scales = result.by === null || all.length < 2 ? "" : " · the panels of a column share their scales";
  const more = all.length > channels.length ? ` · the first ${channels.length} of ${all.length} panels` : "";
  const { merged, work } = result;
  const how =
    merged === null
      ? work === null
        ? ""
        : ` · ${work.backend}, ${work.algorithm}`
      : ` · merged from ${plural(merged, "shard")}`;
  return {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    background: "white",
    padding: 16,
    width: WIDTH,
    height: Math.max(1, channels.length) * height + Math.max(0, channels.length - 1) * GAP,
    title: titleSpec(
      inputsName(result.name, result.more + 1),
      `${tableTitle(result).split("  ").at(-1)}${how}${scales}${more}`,
    ),
    config: AXIS_CONFIG,
    marks: channels.map(({ channel, shared }, i) => panel(channel, shared, i, [height, view])),
  };
}

/** @param shared the counts of all panels with the same vertical axis */
function panel(
  channel: Channel,
  shared: readonly Float64Array[],
  i: number,
  [height, view]: readonly [number, View],
): Mark {
  const { names } = channel;
  const isLog = (view.scale ?? scaleFor(shared)) === "log";
  // Half of the smallest power of ten, so that a bin with exactly this count is seen.
  const floor = isLog ? logFloor(shared) / 2 : null;
  const { scale, axis } = countsSpec(shared, height, floor);
  const x = names === undefined ? valuesSpec(channel, floor) : namesSpec(channel, names);
  return {
    type: "group",
    encode: {
      update: { y: { value: i * (height + GAP) }, width: { value: WIDTH }, height: { value: height } },
    },
    title: panelTitle(channel),
    data: [{ name: "bins", values: x.data }],
    scales: [scale, x.scale],
    axes: [axis, x.axis],
    marks: [mark(channel, height, floor, names !== undefined)],
  };
}

interface Horizontal {
  readonly data: object[];
  readonly scale: VegaScale;
  readonly axis: Axis;
}

/** One point at the left edge of each column and one at the right edge of the last. */
function valuesSpec(channel: Channel, floor: number | null): Horizontal {
  const { histogram, values } = channel;
  const { counts, edges, bins } = histogram;
  const drawn = values?.drawn ?? ((value: number) => value);
  const { heights, binsEach } = columnsOf(counts, MOST_COLUMNS);
  const data = heights.map((height, column) => ({
    x: drawn(edges[column * binsEach]!),
    y: Math.max(height, floor ?? 0),
  }));
  data.push({ x: drawn(edges[bins]!), y: data.at(-1)!.y });
  const [lo, hi] = [drawn(edges[0]!), drawn(edges[bins]!)] as [number, number];
  const common = { name: "x", domain: [lo, hi], range: [0, WIDTH], nice: false } satisfies Partial<VegaScale>;
  const isTime = values?.scale === "utc";
  const axis: Axis = { orient: "bottom", scale: "x", ...axisTitleOf(axisName(channel)) };
  return isTime
    ? { data, scale: { ...common, type: "utc" }, axis: { ...axis, tickCount: TIME_TICKS } }
    : { data, scale: { ...common, type: "linear", zero: false }, axis: { ...axis, ...xTicks(lo, hi) } };
}

/** A bar for each name. */
function namesSpec(channel: Channel, names: readonly string[]): Horizontal {
  const { title, encode } = axisTitleOf(axisName(channel));
  return {
    data: Array.from(channel.histogram.counts, (y, x) => ({ x, y })),
    scale: { name: "x", type: "band", domain: [...names.keys()], range: [0, WIDTH], paddingInner: 0.15 },
    axis: {
      orient: "bottom",
      scale: "x",
      labelOverlap: true,
      title,
      encode: {
        ...encode,
        labels: { update: { text: { signal: `${JSON.stringify(names)}[datum.value]` } } },
      },
    },
  };
}

/** The name of the column, with the unit of its values. */
function axisName({ column = "", values }: Channel): string {
  return values === undefined || values.shown === "" ? column : `${column} (${values.shown})`;
}

function mark(channel: Channel, height: number, floor: number | null, isBar: boolean): Mark {
  const fill = { fill: { value: plotColour(channel) }, fillOpacity: { value: 0.85 } };
  const common = {
    x: { scale: "x", field: "x" },
    y: { scale: "y", field: "y" },
    y2: { value: height },
    ...fill,
  };
  if (!isBar) {
    return {
      type: "area",
      from: { data: "bins" },
      encode: { update: { ...common, interpolate: { value: "step-after" } } },
    };
  }
  // A logarithmic axis has no place for 0.
  const y = floor === null ? common.y : { scale: "y", signal: `max(datum.y, ${floor})` };
  return {
    type: "rect",
    from: { data: "bins" },
    encode: { update: { ...common, y, width: { scale: "x", band: 1 } } },
  };
}
