import { type Axis, type IntegerAxis, own } from "../../axis/index.ts";
import type { CellsInputs, CellsPart } from "../../backend/index.ts";
import type { SampleType } from "../../input/index.ts";
import { type DeviceTimings, mergeJoint } from "../../result/index.ts";
import { deviceInput } from "../device-input.ts";
import type { Host } from "../host.ts";
import type { Choice } from "../prepare.ts";
import type { Column } from "./columns.ts";
import type { JointJobs, PlannedJoint } from "./jobs.ts";
import type { JointOptions, Selection } from "./options.ts";
import { checkGrouped, groupsOf, maskOf, whereOf } from "./selecting.ts";

/** The cells of a call. */
export interface Found {
  /** Row-major over `extents`. With groups, the first axis is the number of the group, and it has no flow. */
  readonly cells: Float64Array;
  readonly extents: readonly number[];
  readonly masked: number;
  readonly timings: DeviceTimings;
}

/** Options that apply while a call runs. */
type Running = Pick<JointOptions, "timings" | "signal" | "onProgress">;

/** The columns and the selection of a call, checked and planned. */
export interface Gathered {
  readonly planned: PlannedJoint;
  readonly inputs: CellsInputs;
  readonly axes: readonly Axis[];
  readonly types: readonly SampleType[];
  /** Number of groups, which are the first column; null: no groups. */
  readonly groups: number | null;
}

/**
 * Checks and plans the columns of a call with a mask, a list of indices, or groups.
 * @param planned the number of samples to plan for, if the columns are a part of them.
 * @throws ERR_INPUT for an invalid selection, ERR_LIMIT, ERR_UNSUPPORTED.
 */
export function gather(
  host: Host,
  jobs: JointJobs,
  columns: readonly Column[],
  axes: readonly Axis[],
  options: Selection & Choice,
  planned?: number,
): Gathered {
  const { pixels } = columns[0]!.source;
  const mask = maskOf(host, options.mask, pixels);
  const where = whereOf(options.where, pixels);
  const by = groupsOf(options.by, pixels);
  const all = by === null ? columns : [{ source: by.source, channel: 0 }, ...columns];
  const over = by === null ? axes : [groupAxis(by.groups), ...axes];
  const inputs: CellsInputs = {
    columns: all.map(({ source }, k) =>
      deviceInput(host, source, jobs.countedAs({ axis: over[k]!, type: source.type })),
    ),
    mask: mask.input,
    where,
    samples: where?.length ?? pixels,
  };
  const shape = {
    columns: all.map(({ source, channel }, k) => {
      return { type: source.type, interleaved: source.channels, channel, axis: over[k]! };
    }),
    samples: planned ?? pixels,
    mask: mask.kind,
    listed: where !== null,
  };
  const types = all.map(({ source }) => source.type);
  return { planned: jobs.of(shape, options), inputs, axes: over, types, groups: by?.groups ?? null };
}

/**
 * Counts gathered columns on the device, unless there is nothing to count. @throws ERR_MISCOUNT; ERR_INPUT for codes
 * outside the groups
 */
export async function findJoint(
  of: Gathered,
  { signal, onProgress, timings: timed = false }: Running,
): Promise<Found> {
  const { planned, inputs } = of;
  const { samples: total } = inputs;
  const tell = onProgress && ((done: number) => onProgress({ done, total }));
  if (total === 0) {
    tell?.(0);
    return foundWithout(of);
  }
  const prepared = await planned.prepared();
  const part = await prepared.count(inputs, { signal, onProgress: tell, timed });
  signal?.throwIfAborted();
  const found = foundIn(of, part);
  tell?.(total);
  return found;
}

/** Returns the empty cells of a call without samples. */
export function foundWithout({ planned, groups }: Gathered): Found {
  const extents = planned.maps.map(({ extent }) => extent);
  if (groups !== null) extents[0] = groups;
  const cells = new Float64Array(extents.reduce((product, extent) => product * extent, 1));
  return { cells, extents, masked: 0, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
}

/** Merges the cells of a device. @throws ERR_MISCOUNT; ERR_INPUT for codes outside the groups */
export function foundIn({ planned, inputs, groups }: Gathered, part: CellsPart): Found {
  const { masked, timings } = part;
  const { job, maps } = planned;
  const cells = mergeJoint(part, job.plan, maps, inputs.samples);
  const extents = maps.map(({ extent }) => extent);
  if (groups === null || extents[0] === groups) return { cells, extents, masked, timings };
  const size = (cells.length / extents[0]!) * groups;
  checkGrouped(cells.subarray(size), groups);
  return { cells: cells.slice(0, size), extents: [groups, ...extents.slice(1)], masked, timings };
}

/** Returns the axis of groups, which may have more bins than an axis that a caller makes. */
export function groupAxis(groups: number): Axis {
  return own<IntegerAxis>({ type: "integer", bins: groups, start: 0, stop: groups });
}
