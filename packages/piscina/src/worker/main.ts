import { isMainThread, workerData } from "node:worker_threads";
import { isPolybinError, PolybinError } from "@polybin/core";
import { type Message, type Modules, type Reply, Thread, takePlace } from "../counting/index.ts";

if (isMainThread) throw new PolybinError("ERR_WORKER", "expected this module to run in a worker of the pool");

const thread = new Thread(workerData as Modules);

/** Runs a task if its call still needs it. The pool calls this for every message, one at a time. */
export default function main({ task, place }: Message): Reply {
  if (place !== null && !takePlace(place.control, place.number)) return { answer: null };
  try {
    return { answer: thread.run(task) };
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_INPUT") return { problem: error.message };
    throw error;
  }
}
