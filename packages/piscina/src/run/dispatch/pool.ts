import type { Worker } from "node:worker_threads";
import { isPolybinError, PolybinError } from "@polybin/core";
import type { Device, ErrorDetails, RunOptions } from "@polybin/core/backend";
import { Piscina } from "piscina";
import {
  type Answer,
  type Control,
  type Message,
  type Modules,
  pixelsDone,
  type Reply,
  stop,
  type Task,
  Thread,
} from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import { WORKER } from "../../worker/index.ts";
import { BeltMemories, CellMemories } from "./memories.ts";
import { RoundTrips } from "./round-trips.ts";

/** The threads of an engine: workers, and the calling thread, which counts with them and what is counted sooner without them. */
export class Pool {
  readonly threads: number;
  readonly here: Thread;
  /** Core's own loops, on the calling thread. */
  readonly host: Device;
  readonly belts: BeltMemories;
  readonly cells: CellMemories = new CellMemories();
  readonly trips: RoundTrips;
  readonly #piscina: Piscina<Message, Reply>;
  /** The number of calls that run, and of all that began. */
  #running = 0;
  #begun = 0;
  /** The number of tasks that no worker has answered. */
  #tasks = 0;
  /** The ids of the threads that are ready to work. */
  readonly #loaded = new Set<number>();

  constructor(threads: number, modules: Modules, host: Device) {
    this.threads = threads;
    this.host = host;
    this.here = new Thread(modules);
    this.belts = new BeltMemories(threads);
    this.trips = new RoundTrips(threads);
    this.#piscina = new Piscina({
      filename: WORKER.href,
      minThreads: threads,
      maxThreads: threads,
      // This limit is never reached, because calls wait in the engine.
      maxQueue: poolLimits.jobsAtOnce * threads,
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
    const ended = this.begin();
    const abort = () => stop(control);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = onProgress && setInterval(() => onProgress(pixelsDone(control)), poolLimits.progressMs);
    try {
      const outcomes = await Promise.allSettled(tasks.map((task) => this.ask(task, control, null)));
      signal?.throwIfAborted();
      return outcomes.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value!;
      });
    } finally {
      ended();
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The number of bytes up to which the calling thread counts an input without workers. */
  get aloneBytes(): number {
    return this.trips.aloneBytes;
  }

  /** The number of bytes up to which it counts an input before the call returns. */
  get syncBytes(): number {
    return Math.min(this.aloneBytes, poolLimits.syncBytesMost);
  }

  /**
   * The number of workers that pay for a number of bytes. Each gets a piece, and there is one for the calling thread.
   * @param least the size of a piece if the samples have larger steps
   */
  workersFor(bytes: number, least = 0): number {
    if (bytes <= this.aloneBytes) return 0;
    const pieces = Math.floor(bytes / Math.max(poolLimits.pieceBytes, least));
    return Math.min(this.threads, Math.max(0, pieces - 1));
  }

  /** The number of workers without a task. */
  get idle(): number {
    return Math.max(0, this.threads - this.#tasks);
  }

  /**
   * Begins a call. @returns a function that ends it, and returns whether the call neither shared the workers with another
   * nor waited for them to load
   */
  begin(): () => boolean {
    const isFirst = this.#running++ === 0 && this.#loaded.size >= this.threads;
    const begun = ++this.#begun;
    return () => {
      this.#running--;
      return isFirst && begun === this.#begun;
    };
  }

  /**
   * Gives a task to a worker. If it fails, the threads of its control stop.
   * @param place the worker's place in a call that may end without it; null: the call waits for it
   * @returns the answer, or null if the call has ended without it
   * @throws ERR_WORKER, ERR_INPUT
   */
  async ask(task: Task, control: Control, place: number | null): Promise<Answer | null> {
    this.#tasks++;
    try {
      const reply = await this.#piscina.run({
        task,
        place: place === null ? null : { control, number: place },
      });
      if ("answer" in reply) return reply.answer;
      throw new PolybinError("ERR_INPUT", reply.problem, DETAILS);
    } catch (error) {
      stop(control);
      throw isPolybinError(error) ? error : workerError(error);
    } finally {
      this.#tasks--;
    }
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
    this.belts.clear();
    this.cells.clear();
  }
}

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
