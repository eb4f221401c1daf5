import { isMainThread, workerData } from "node:worker_threads";
import { isPolybinError, PolybinError } from "@polybin/core";
import { type Modules, type Reply, type Task, Thread } from "../counting/index.ts";

if (isMainThread) throw new PolybinError("ERR_WORKER", "expected this module to run in a worker of the pool");

const thread = new Thread(workerData as Modules);

/** Runs a task. The pool calls this for every task, one at a time. */
export default function main(task: Task): Reply {
  const start = performance.now();
  try {
    return { answer: thread.run(task), ms: performance.now() - start };
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_INPUT") return { problem: error.message };
    throw error;
  }
}
