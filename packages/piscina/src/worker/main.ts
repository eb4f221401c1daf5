import { isMainThread, workerData } from "node:worker_threads";
import { PolybinError } from "@polybin/core";
import type { CellTask } from "../counting/index.ts";
import { instantiate, VisibleInstances, type Wasm } from "../platform/index.ts";
import { type Answer, InputError, type SegmentsTask, type SumsTask, type Task } from "../task/index.ts";
import { countChunks } from "./count.ts";
import { extentChunks } from "./extent.ts";
import { countCells } from "./joint.ts";
import { countSegments } from "./segments.ts";
import { sumBlocks } from "./sums.ts";

if (isMainThread) throw new PolybinError("ERR_WORKER", "expected this module to run in a worker of the pool");

const { module, where } = workerData as { module: WebAssembly.Module; where: WebAssembly.Module };
const instances: Wasm[] = [];
/** Instances over memory that programs filled. */
const visible = new VisibleInstances(where);
/** The instance for weighted sums. Their tables lie elsewhere and take more memory. */
let weighted: Wasm | null = null;

/** Returns the WebAssembly memory of a channel. Channels that are counted side by side have one each. */
function instance(channel: number): Wasm {
  instances[channel] ??= instantiate(module);
  return instances[channel];
}

/** Runs a task. The pool calls this for every task, one at a time. */
export default function main(task: Task | SumsTask | SegmentsTask | CellTask): Answer {
  if ("table" in task) return sums(task);
  try {
    if ("layout" in task) return countCells(task, visible);
    if ("segments" in task) return countSegments(task, instance(0));
    return task.work.kind === "count"
      ? countChunks(task, task.work, instance, visible)
      : extentChunks(task, instance(0));
  } catch (error) {
    // The counts of an unfinished chunk must not appear in the next task.
    for (const wasm of instances) wasm.reset();
    if (error instanceof InputError) return { kind: "input-error", message: error.message };
    throw error;
  }
}

function sums(task: SumsTask): Answer {
  const wasm = weighted ?? instantiate(module);
  // A failure drops its partial sums with their memory.
  weighted = null;
  const answer = sumBlocks(task, wasm);
  weighted = wasm;
  return answer;
}
