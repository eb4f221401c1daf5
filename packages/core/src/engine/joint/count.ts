import { channelsOf } from "../../input/index.ts";
import {
  CountedHistogram,
  Grouped,
  type Histogram,
  CountedJointHistogram as JointHistogram,
  type Timings,
} from "../../result/index.ts";
import { axisFor } from "../axis-for.ts";
import type { Host } from "../host.ts";
import type { Progress } from "../options.ts";
import { axesOf, columnsOf, sourceFrom } from "./columns.ts";
import { type Found, findJoint, type Gathered, gather } from "./find.ts";
import type { JointJobs } from "./jobs.ts";
import {
  checkColumns,
  type JointColumnInput,
  type JointOptions,
  type JointSource,
  type SelectedOptions,
} from "./options.ts";

/** Counts columns over their axes. @param options checked */
export async function countColumns(
  host: Host,
  jobs: JointJobs,
  given: JointSource | readonly JointColumnInput[],
  options: JointOptions,
): Promise<JointHistogram | Grouped<JointHistogram>> {
  const start = performance.now();
  const columns = columnsOf(host, given, options.channels);
  checkColumns(columns.length, 2, options.by);
  const axes = await axesOf(host, columns, options);
  const gathered = gather(host, jobs, columns, axes, options);
  const found = await findJoint(gathered, options);
  const joint = jointOf(gathered, found, options.timings ? start : null);
  return options.by === undefined ? joint : new Grouped(joint);
}

/** Counts each channel as `countSelected` does, over the same axis. @param options checked */
export async function countEachSelected(
  host: Host,
  jobs: JointJobs,
  given: JointSource,
  options: SelectedOptions & { readonly channels?: readonly number[] },
): Promise<Histogram[] | Grouped[]> {
  const { channels = "all", onProgress, ...rest } = options;
  const source = sourceFrom(host, given, "the samples");
  const which = channelsOf(source, channels);
  const { signal } = options;
  const axis = await axisFor(host, source, which, { ...options, signal });
  const { bins: _, range: __, nice: ___, ...asked } = rest;
  const all: (Histogram | Grouped)[] = [];
  for (const [i, channel] of which.entries()) {
    const tell =
      onProgress &&
      (({ done, total }: Progress) => onProgress({ done: (i * (total ?? 0) + done) / which.length, total }));
    all.push(await countSelected(host, jobs, given, { ...asked, axis, channel, onProgress: tell }));
  }
  return all as Histogram[] | Grouped[];
}

/** Counts one channel with a mask, a list of indices, or groups. @param options checked */
export async function countSelected(
  host: Host,
  jobs: JointJobs,
  given: JointSource,
  options: SelectedOptions & { readonly channel?: number },
): Promise<Histogram | Grouped> {
  const start = performance.now();
  const source = sourceFrom(host, given, "the samples");
  const { channel: which, signal } = options;
  const [channel] = channelsOf(source, which === undefined ? "only" : { channel: which });
  const axis = await axisFor(host, source, [channel!], { ...options, signal });
  const gathered = gather(host, jobs, [{ source, channel: channel! }], [axis], options);
  const found = await findJoint(gathered, options);
  const since = options.timings ? start : null;
  const joint = jointOf(gathered, found, since);
  if (options.by !== undefined) return new Grouped(joint);
  return CountedHistogram.of(joint, { ...gathered.planned.provenance, timings: joint.timings });
}

/** Creates the result of a call. @param since the time at which it began; null: no timings were requested */
export function jointOf(
  { axes, types, planned }: Gathered,
  found: Found,
  since: number | null,
): JointHistogram {
  return new JointHistogram(axes, types, found, { ...planned.provenance, timings: timingsOf(found, since) });
}

function timingsOf({ timings }: Found, since: number | null): Timings | null {
  return since === null ? null : { ...timings, totalMs: performance.now() - since };
}
