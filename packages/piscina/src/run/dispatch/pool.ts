import type { Worker } from "node:worker_threads";
import { isPolybinError, PolybinError } from "@polybin/core";
import type { ErrorDetails, RunOptions } from "@polybin/core/backend";
import { Piscina } from "piscina";
import {
  type Answer,
  type Control,
  type Modules,
  pixelsDone,
  type Reply,
  stop,
  type Task,
  Thread,
} from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import { WORKER } from "../../worker/index.ts";
import { CellMemories, SlotMemory } from "./memories.ts";
import { RoundTrips } from "./round-trips.ts";

/** The threads of an engine: workers, and the calling thread for what is counted sooner without them. */
export class Pool {
  readonly threads: number;
  readonly here: Thread;
  readonly slots: SlotMemory;
  readonly cells: CellMemories = new CellMemories();
  readonly #piscina: Piscina<Task, Reply>;
  readonly #trips = new RoundTrips();
  /** The number of calls that run, and of all that began. */
  #running = 0;
  #begun = 0;
  /** The ids of the threads that are ready to work. */
  readonly #loaded = new Set<number>();

  constructor(threads: number, modules: Modules) {
    this.threads = threads;
    this.here = new Thread(modules);
    this.slots = new SlotMemory(threads);
    this.#piscina = new Piscina({
      filename: WORKER.href,
      minThreads: threads,
      maxThreads: threads,
      // This limit is never reached, because calls wait in the engine.
      maxQueue: poolLimits.jobsAtOnce * threads * poolLimits.piecesPerThread,
      workerData: modules,
      recordTiming: false,
    });
    const first = new Set(this.#piscina.threads.map(({ threadId }) => threadId));
    for (const thread of this.#piscina.threads) {
      const { threadId } = thread;
      thread.once("message", () => this.#loaded.add(threadId));
    }
    // The pool considers its first threads ready from the start.
    this.#piscina.on("workerCreate", ({ id }: { readonly id: number }) => {
      if (!first.has(id)) this.#loaded.add(id);
    });
    // The pool replaces a worker that dies while idle. Nothing is lost.
    this.#piscina.on("error", () => {});
  }

  /**
   * Runs all tasks, which share one control, to their end. Returns their answers or throws the first failure. If a task
   * fails, the others stop, so that nothing is read or written afterwards.
   * @throws ERR_WORKER if a worker died or threw.
   * @throws ERR_INPUT if the input failed.
   * @throws the signal's reason if the call was aborted.
   */
  async run(tasks: readonly Task[], control: Control, { signal, onProgress }: RunOptions): Promise<Answer[]> {
    signal?.throwIfAborted();
    const start = performance.now();
    const isFirst = this.#running++ === 0 && this.#loaded.size >= this.threads;
    const begun = ++this.#begun;
    const abort = () => stop(control);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = onProgress && setInterval(() => onProgress(pixelsDone(control)), poolLimits.progressMs);
    try {
      const outcomes = await Promise.allSettled(tasks.map((task) => this.#reply(task, control)));
      signal?.throwIfAborted();
      const replies = outcomes.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
      // A call that neither shared the workers with another nor waited for them to load has measured the round trip.
      if (isFirst && begun === this.#begun && COUNTING.has(tasks[0]!.kind)) {
        const counting = Math.max(...replies.map(({ ms }) => ms));
        this.#trips.add(performance.now() - start - counting);
      }
      return replies.map(({ answer }) => answer);
    } finally {
      this.#running--;
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The number of bytes up to which the calling thread counts an input itself. */
  get syncBytes(): number {
    return this.#trips.syncBytes(this.threads);
  }

  /**
   * Closes the pool. Ending a thread while it loads its modules may crash the process (Node 26), so this waits until
   * all have loaded.
   */
  async close(): Promise<void> {
    const loading = this.#piscina.threads.filter(({ threadId }) => !this.#loaded.has(threadId));
    await Promise.all(loading.map(firstWord));
    await this.#piscina.destroy();
    // A program may keep a closed engine.
    this.here.clear();
    this.slots.clear();
    this.cells.clear();
  }

  async #reply(task: Task, control: Control): Promise<Exclude<Reply, { readonly problem: string }>> {
    try {
      const reply = await this.#piscina.run(task);
      if ("answer" in reply) return reply;
      throw new PolybinError("ERR_INPUT", reply.problem, DETAILS);
    } catch (error) {
      stop(control);
      throw isPolybinError(error) ? error : workerError(error);
    }
  }
}

/** The tasks whose inputs the calling thread may count. */
const COUNTING: ReadonlySet<Task["kind"]> = new Set(["channels", "cells"]);

/**
 * Waits for a thread's first message, which says that it is ready, or for its end. Meanwhile the thread keeps the
 * process alive.
 */
function firstWord(thread: Worker): Promise<void> {
  thread.ref();
  return new Promise((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
}

const DETAILS: ErrorDetails = { backend: "piscina" };

function workerError(cause: unknown): PolybinError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const what = `a worker failed (${why}): nothing was counted and you can repeat the call`;
  return new PolybinError("ERR_WORKER", what, { ...DETAILS, cause });
}
