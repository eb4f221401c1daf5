import type { Axis } from "../../axis/index.ts";
import type { JointInputs } from "../../backend/index.ts";
import type { SampleType } from "../../input/index.ts";
import { type DeviceTimings, mergeJoint } from "../../result/index.ts";
import { type Host, readable } from "../host.ts";
import type { Choice } from "../prepare.ts";
import type { Column } from "./columns.ts";
import type { JointJobs, PlannedJoint } from "./jobs.ts";
import type { JointOptions, Selection } from "./options.ts";
import { checkGrouped, groupsOf, maskOf, whereOf } from "./selecting.ts";

/** The cells of a call and how they were made. */
export interface FoundJoint {
  /** Row-major over `extents`. With groups, the first axis is the number of the group, and it has no flow. */
  readonly cells: Float64Array;
  readonly axes: readonly Axis[];
  readonly types: readonly SampleType[];
  readonly extents: readonly number[];
  readonly masked: number;
  readonly planned: PlannedJoint;
  readonly timings: DeviceTimings;
}

/** Options that apply while a call runs. */
type Running = Pick<JointOptions, "timings" | "signal" | "onProgress">;

/** The columns and the selection of a call, checked and planned. */
export interface Gathered {
  readonly planned: PlannedJoint;
  readonly inputs: JointInputs;
  readonly axes: readonly Axis[];
  readonly types: readonly SampleType[];
  /** Number of groups, which are the first column; null: no groups. */
  readonly groups: number | null;
}

/**
 * Checks and plans the columns of a call with a mask, a list of indices, or groups.
 * @throws ERR_INPUT for an invalid selection; ERR_LIMIT; ERR_UNSUPPORTED.
 */
export function gather(
  host: Host,
  jobs: JointJobs,
  columns: readonly Column[],
  axes: readonly Axis[],
  options: Selection & Choice,
): Gathered {
  const { pixels } = columns[0]!.source;
  const mask = maskOf(host, options.mask, pixels);
  const where = whereOf(options.where, pixels);
  const by = groupsOf(options.by, pixels);
  const all = by === null ? columns : [{ source: by.source, channel: 0 }, ...columns];
  const over = by === null ? axes : [groupAxis(by.groups), ...axes];
  const inputs: JointInputs = {
    columns: all.map(({ source }) => readable(host, source)),
    mask: mask.input,
    where,
    samples: where?.length ?? pixels,
  };
  const shape = {
    columns: all.map(({ source, channel }, k) => {
      return { type: source.type, interleaved: source.channels, channel, axis: over[k]! };
    }),
    samples: pixels,
    mask: mask.kind,
    listed: where !== null,
  };
  const types = all.map(({ source }) => source.type);
  return { planned: jobs.of(shape, options), inputs, axes: over, types, groups: by?.groups ?? null };
}

/** Counts gathered columns on the device. @throws ERR_MISCOUNT; ERR_INPUT for codes outside the groups */
export async function findJoint(of: Gathered, options: Running): Promise<FoundJoint> {
  const { planned, inputs, axes, types, groups } = of;
  const { cells, masked, timings } = await counted(planned, inputs, options);
  const extents = planned.maps.map(({ extent }) => extent);
  const found = { axes, types, masked, planned, timings };
  if (groups === null) return { ...found, cells, extents };
  const size = cells.length / extents[0]!;
  checkGrouped(cells.subarray(groups * size), groups);
  const isWhole = extents[0] === groups;
  return {
    ...found,
    cells: isWhole ? cells : cells.slice(0, groups * size),
    extents: [groups, ...extents.slice(1)],
  };
}

/** Counts on the device, unless there is nothing to count. */
async function counted(
  planned: PlannedJoint,
  inputs: JointInputs,
  { signal, onProgress, timings: timed = false }: Running,
): Promise<Pick<FoundJoint, "cells" | "masked" | "timings">> {
  const { job, maps } = planned;
  const { samples: total } = inputs;
  const tell = onProgress && ((done: number) => onProgress({ done, total }));
  if (total === 0) {
    const cells = new Float64Array(maps.reduce((product, { extent }) => product * extent, 1));
    tell?.(0);
    return { cells, masked: 0, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
  }
  const prepared = await planned.prepared();
  const part = await prepared.count(inputs, { signal, onProgress: tell, timed });
  signal?.throwIfAborted();
  const cells = mergeJoint(part, job.plan, maps, total);
  tell?.(total);
  return { cells, masked: part.masked, timings: part.timings };
}

/** Returns the axis of groups, which may have more bins than an axis that a caller makes. */
function groupAxis(groups: number): Axis {
  return { type: "integer", bins: groups, start: 0, stop: groups };
}
