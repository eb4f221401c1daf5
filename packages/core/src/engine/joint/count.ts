import { type Axis, type AxisOptions, checkAxisOptions, checkedAxis } from "../../axis/index.ts";
import type { JointInputs } from "../../backend/index.ts";
import { expected, PolybinError } from "../../base/index.ts";
import { channelsOf, isByteStream, type Source, sourceOf } from "../../input/index.ts";
import { type DeviceTimings, JointHistogram, mergeJoint } from "../../result/index.ts";
import { axisFor } from "../count.ts";
import { type Host, readable } from "../host.ts";
import type { Choice } from "../prepare.ts";
import type { JointJobs, PlannedJoint } from "./jobs.ts";
import {
  checkColumns,
  type JointColumnInput,
  type JointOptions,
  type JointSource,
  type Selection,
} from "./options.ts";
import { checkGrouped, groupsOf, maskOf, type OwnGroups, whereOf } from "./selecting.ts";

/** One column of a call: a channel of a source. */
export interface Column {
  readonly source: Source;
  readonly channel: number;
}

/** The cells of a call, one array per group, and how they were made. */
export interface FoundJoint {
  readonly groups: readonly Float64Array[];
  readonly extents: readonly number[];
  readonly masked: number;
  readonly planned: PlannedJoint;
  readonly timings: DeviceTimings;
}

/** Counts columns over their axes. @param options checked */
export async function countColumns(
  host: Host,
  jobs: JointJobs,
  given: JointSource | readonly JointColumnInput[],
  options: JointOptions,
): Promise<JointHistogram | JointHistogram[]> {
  const start = performance.now();
  const columns = columnsOf(given, options);
  checkColumns(columns.length, 2, options.by);
  const axes = await axesOf(host, columns, options);
  const found = await findJoint(host, jobs, columns, axes, options);
  const { masked, extents, planned } = found;
  const types = columns.map(({ source }) => source.type);
  const timings = options.timings ? { ...found.timings, totalMs: performance.now() - start } : null;
  const provenance = { ...planned.provenance, timings };
  const all = found.groups.map(
    (cells) => new JointHistogram(axes, types, { cells, extents, masked }, provenance),
  );
  return options.by === undefined ? all[0]! : all;
}

/**
 * Counts columns with a mask, a list of indices, or groups.
 * @throws ERR_INPUT for columns of different lengths, an invalid selection, or codes outside the groups.
 */
export async function findJoint(
  host: Host,
  jobs: JointJobs,
  columns: readonly Column[],
  axes: readonly Axis[],
  options: Selection & Choice & Pick<JointOptions, "timings" | "signal" | "onProgress">,
): Promise<FoundJoint> {
  const pixels = columns[0]!.source.pixels;
  const mask = maskOf(host, options.mask, pixels);
  const where = whereOf(options.where, pixels);
  const by = groupsOf(options.by, pixels);
  const all = by === null ? columns : [{ source: by.source, channel: 0 }, ...columns];
  const over = by === null ? axes : [groupAxis(by), ...axes];
  const shape = {
    columns: all.map(({ source, channel }, k) => {
      return { type: source.type, interleaved: source.channels, channel, axis: over[k]! };
    }),
    samples: pixels,
    mask: mask.kind,
    listed: where !== null,
  };
  const planned = jobs.of(shape, options);
  const inputs: JointInputs = {
    columns: all.map(({ source }) => readable(host, source)),
    mask: mask.input,
    where,
    samples: where?.length ?? pixels,
  };
  const { cells, masked, timings } = await counted(planned, inputs, options);
  const extents = planned.maps.map(({ extent }) => extent);
  if (by === null) return { groups: [cells], extents, masked, planned, timings };
  const groups = cut(cells, by.groups, extents[0]!);
  return { groups, extents: extents.slice(1), masked, planned, timings };
}

/** Counts on the device, unless there is nothing to count. */
async function counted(
  planned: PlannedJoint,
  inputs: JointInputs,
  { signal, onProgress, timings: timed = false }: Pick<JointOptions, "timings" | "signal" | "onProgress">,
) {
  const { job, maps } = planned;
  const { samples: total } = inputs;
  const tell = onProgress && ((done: number) => onProgress({ done, total }));
  if (total === 0) {
    const cells = new Float64Array(maps.reduce((product, { extent }) => product * extent, 1));
    tell?.(0);
    return { cells, masked: 0, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
  }
  const part = await planned.prepared().count(inputs, { signal, onProgress: tell, timed });
  signal?.throwIfAborted();
  const cells = mergeJoint(part, job.plan, maps, total);
  tell?.(total);
  return { cells, masked: part.masked, timings: part.timings };
}

/** Cuts cells into those of each group. @throws ERR_INPUT for codes outside the groups */
function cut(cells: Float64Array, groups: number, extent: number): Float64Array[] {
  const size = cells.length / extent;
  checkGrouped(
    cells.subarray(groups * size).reduce((sum, count) => sum + count, 0),
    groups,
  );
  return Array.from({ length: groups }, (_, group) => cells.slice(group * size, (group + 1) * size));
}

/** Returns the axis of groups, which may have more bins than an axis that a caller makes. */
function groupAxis({ groups }: OwnGroups): Axis {
  return { type: "integer", bins: groups, start: 0, stop: groups };
}

/** Returns the checked columns of a call. @throws ERR_INPUT */
function columnsOf(
  given: JointSource | readonly JointColumnInput[],
  { channels }: JointOptions,
): readonly Column[] {
  const isList = Array.isArray(given) && !given.every((one) => typeof one === "number");
  if (isList && channels !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either an array of columns or channels but received both");
  }
  if (!isList) {
    const source = sourceFrom(given as JointSource, "the samples");
    return channelsOf(source, channels ?? "all").map((channel) => ({ source, channel }));
  }
  const columns = (given as readonly JointColumnInput[]).map((one, k) => columnFrom(one, `column ${k}`));
  const [first] = columns;
  for (const [k, { source }] of columns.entries()) {
    if (source.pixels === first!.source.pixels) continue;
    const what = `${first!.source.pixels}, as column 0 has,`;
    throw expected("ERR_INPUT", `the number of samples of column ${k}`, what, source.pixels);
  }
  return columns;
}

function columnFrom(given: JointColumnInput, name: string): Column {
  if (typeof given !== "object" || given === null || ArrayBuffer.isView(given) || !("input" in given)) {
    const source = sourceFrom(given, name);
    return { source, channel: channelsOf(source, "only")[0]! };
  }
  const source = sourceFrom(given.input, name);
  return { source, channel: channelsOf(source, { channel: given.channel })[0]! };
}

function sourceFrom(given: JointSource, name: string): Source {
  if (!isByteStream(given)) return sourceOf(given);
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected samples in memory or on the device for ${name} but received a stream: read it into an array first`,
  );
}

/** Returns the axis of each column. If its data decide it, they are read first. @throws ERR_INPUT, ERR_AXIS */
async function axesOf(
  host: Host,
  columns: readonly Column[],
  { axes, signal }: JointOptions,
): Promise<readonly Axis[]> {
  if (axes !== undefined && (!Array.isArray(axes) || axes.length !== columns.length)) {
    const received = Array.isArray(axes) ? `${axes.length} axes` : axes;
    throw expected("ERR_INPUT", "axes", `an array of ${columns.length} axes, one per column,`, received);
  }
  const found: Axis[] = [];
  for (const [k, { source, channel }] of columns.entries()) {
    const options = optionsOf(axes?.[k]);
    found.push(await axisFor(host, source, [channel], { ...options, signal }));
  }
  return found;
}

/** Returns the options of a column's axis, which may be given as an axis. */
function optionsOf(given: Axis | AxisOptions | undefined): AxisOptions {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || "type" in given) return { axis: checkedAxis(given) };
  checkAxisOptions(given);
  return given;
}
