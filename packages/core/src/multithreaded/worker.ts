import { parentPort, workerData } from "node:worker_threads";
import type { CountJob } from "../backend/index.ts";
import { sequentialCounters } from "../cpu/index.ts";
import { runs, type Samples, STREAM_CHUNK } from "../input/index.ts";
import type { ChannelCounts } from "../result/index.ts";

/** The input of a thread: its share of the samples and how to count them. */
export interface Share extends Pick<CountJob, "axis" | "channels" | "plan"> {
  readonly samples: Samples;
}

/** A message of a thread: the number of pixels counted since the last one, or the final counts. */
export type ShareMessage = { readonly done: number } | { readonly counted: ChannelCounts[] };

const { samples, ...job } = workerData as Share;
const counter = sequentialCounters({ ...job, stride: samples.channels })();
for (const run of runs(samples, STREAM_CHUNK)) {
  counter.add(run);
  parentPort!.postMessage({ done: run.length / samples.channels } satisfies ShareMessage);
}
parentPort!.postMessage({ counted: counter.channels() } satisfies ShareMessage);
