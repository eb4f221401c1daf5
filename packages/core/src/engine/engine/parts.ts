import type { Backend, Device } from "../../backend/index.ts";
import { type CallControl, loadedOnce } from "../../base/index.ts";
import type { Histogram } from "../../result/index.ts";
import { Calls } from "../counter/calls.ts";
import { Jobs } from "../jobs/prepare.ts";
import { Recipes } from "../jobs/recipes.ts";
import { SegmentJobs } from "../jobs/segment-jobs.ts";
import { Lifecycle } from "../opened/lifecycle.ts";
import { type OpenBackend, openBackendOf } from "../opened/open-backend.ts";
import type { Progress } from "../options/options.ts";
import type { Running } from "../run/run.ts";

/** The parts of an open engine, which its methods share. */
export interface EngineParts {
  readonly opened: OpenBackend;
  readonly lifecycle: Lifecycle;
  readonly jobs: Jobs;
  readonly segmentJobs: SegmentJobs;
  readonly calls: Calls;
  /** Recipes of calls for one channel, and for each of several. */
  readonly one: Recipes<Histogram>;
  readonly each: Recipes<Histogram[]>;
  /** Null until the first call that needs it. */
  running: Running | null;
}

/** Combines the parts of an engine. */
export function partsOf(backend: Backend, device: Device, maxQueue: number): EngineParts {
  const lifecycle = new Lifecycle(backend.id, device.callsAtOnce, maxQueue);
  const opened = openBackendOf(backend, device, (talk, work) => lifecycle.inTurn(talk, work));
  const jobs = new Jobs(opened);
  return {
    opened,
    lifecycle,
    jobs,
    segmentJobs: new SegmentJobs(opened, jobs),
    calls: new Calls(opened, jobs, lifecycle),
    one: new Recipes(opened, jobs, "channel", (all) => all[0]!),
    each: new Recipes(opened, jobs, "channels", (all) => all),
    running: null,
  };
}

const running = loadedOnce(() => import("../run/index.ts"));

/** Runs a call other than a plain count of channels. Its code is loaded on first use. */
export function runWith<T>(
  parts: EngineParts,
  options: CallControl<Progress>,
  work: (
    module: typeof import("../run/index.ts"),
    running: Running,
    talk: CallControl<Progress>,
  ) => Promise<T>,
): Promise<T> {
  return parts.lifecycle.run(options, async (talk) =>
    work(await running(), parts.running ?? (await runningOf(parts)), talk),
  );
}

/** Returns the parts that such calls share. */
export async function runningOf(parts: EngineParts): Promise<Running> {
  const { CellsJobs } = await cells();
  const { opened, lifecycle, jobs, segmentJobs } = parts;
  parts.running ??= { opened, lifecycle, jobs, segmentJobs, cellsJobs: new CellsJobs(opened, jobs) };
  return parts.running;
}

const cells = loadedOnce(() => import("../jobs/cells-jobs.ts"));
