import { isMainThread, workerData } from "node:worker_threads";
import { PolybinError } from "@polybin/core";
import { instantiate, type Wasm } from "../platform/index.ts";
import type { Answer, SegmentsTask, SumsTask, Task } from "../task/index.ts";
import { countChunks } from "./count.ts";
import { extentChunks } from "./extent.ts";
import { InputError } from "./reader.ts";
import { countSegments } from "./segments.ts";
import { sumBlocks } from "./sums.ts";

if (isMainThread) throw new PolybinError("ERR_WORKER", "this module runs in a worker of the pool only");

const { module } = workerData as { module: WebAssembly.Module };
const instances: Wasm[] = [];
/** Weighted sums have one of their own: their tables lie elsewhere and take more. */
let weighted: Wasm | null = null;

/** One WebAssembly memory for each channel that is counted side by side. */
function instance(channel: number): Wasm {
  instances[channel] ??= instantiate(module);
  return instances[channel];
}

/** The pool calls this for every task, one at a time. */
export default function main(task: Task | SumsTask | SegmentsTask): Answer {
  if ("table" in task) return sums(task);
  try {
    if ("segments" in task) return countSegments(task, instance(0));
    return task.work.kind === "count"
      ? countChunks(task, task.work, instance)
      : extentChunks(task, instance(0));
  } catch (error) {
    // Whatever a chunk left half counted must not show up in the next task.
    for (const wasm of instances) wasm.reset();
    if (error instanceof InputError) return { kind: "input-error", message: error.message };
    throw error;
  }
}

function sums(task: SumsTask): Answer {
  const wasm = weighted ?? instantiate(module);
  // Whatever a failure leaves half added is dropped with its memory.
  weighted = null;
  const answer = sumBlocks(task, wasm);
  weighted = wasm;
  return answer;
}
