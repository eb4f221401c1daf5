import { parentPort, workerData } from "node:worker_threads";
import type { CountJob } from "../backend/index.ts";
import { loopCounters, rawCounters } from "../cpu/index.ts";
import { runs, type Samples, STREAM_CHUNK } from "../input/index.ts";
import { lower } from "../lowering/index.ts";
import type { ChannelCounts } from "../result/index.ts";

/** The input of a thread: its share of the samples and how to count them. */
export interface Share extends Pick<CountJob, "axis" | "channels" | "plan"> {
  readonly samples: Samples;
}

/** A message of a thread: the number of pixels counted since the last one, or the final counts. */
export type ShareMessage = { readonly done: number } | { readonly counted: ChannelCounts[] };

const { samples, ...job } = workerData as Share;
const stride = samples.channels;
const counters = job.plan.raw
  ? rawCounters({ ...job, stride })
  : loopCounters({ ...job, stride, lowering: lower(job.axis, job.plan.type) });
const counter = counters();
for (const run of runs(samples, STREAM_CHUNK)) {
  counter.add(run);
  parentPort!.postMessage({ done: run.length / samples.channels } satisfies ShareMessage);
}
parentPort!.postMessage({ counted: counter.channels() } satisfies ShareMessage);
