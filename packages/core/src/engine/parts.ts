import type { Backend, Device } from "../backend/index.ts";
import { loadedOnce, type Talk } from "../base/index.ts";
import type { Histogram } from "../result/index.ts";
import { Calls } from "./calls.ts";
import { type Host, hostOf } from "./host.ts";
import type { JointEngine } from "./joint/call.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { Progress } from "./options.ts";
import { Jobs } from "./prepare.ts";
import { Recipes } from "./recipes.ts";
import { SegmentJobs } from "./segment-jobs.ts";

/** The parts of an open engine, which its methods share. */
export interface EngineParts {
  readonly host: Host;
  readonly lifecycle: Lifecycle;
  readonly jobs: Jobs;
  readonly segmentJobs: SegmentJobs;
  readonly calls: Calls;
  /** Recipes of calls for one channel, and for each of several. */
  readonly one: Recipes<Histogram>;
  readonly each: Recipes<Histogram[]>;
  /** Null until the first call of several columns, a mask or groups. */
  joint: JointEngine | null;
}

/** Combines the parts of an engine. */
export function partsOf(backend: Backend, device: Device, maxQueue: number): EngineParts {
  const lifecycle = new Lifecycle(backend.id, device.callsAtOnce, maxQueue);
  const host = hostOf(backend, device, (talk, work) => lifecycle.inTurn(talk, work));
  const jobs = new Jobs(host);
  return {
    host,
    lifecycle,
    jobs,
    segmentJobs: new SegmentJobs(host, jobs),
    calls: new Calls(host, jobs, lifecycle),
    one: new Recipes(host, jobs, "channel", (all) => all[0]!),
    each: new Recipes(host, jobs, "channels", (all) => all),
    joint: null,
  };
}

const joining = loadedOnce(() => import("./joint/index.ts"));

/** Runs a call of several columns, a mask or groups. Its code is loaded on first use. */
export function jointly<T>(
  parts: EngineParts,
  options: Talk<Progress>,
  work: (module: typeof import("./joint/index.ts"), engine: JointEngine, talk: Talk<Progress>) => Promise<T>,
): Promise<T> {
  const { host, lifecycle, jobs } = parts;
  return lifecycle.run(options, async (talk) => {
    const module = await joining();
    parts.joint ??= { host, lifecycle, jobs: new module.JointJobs(host, jobs) };
    return work(module, parts.joint, talk);
  });
}
