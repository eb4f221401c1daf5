import type { Worker } from "node:worker_threads";
import { isPolybinError, PolybinError } from "@polybin/core";
import type { ErrorDetails, RunOptions } from "@polybin/core/backend";
import { Piscina } from "piscina";
import { poolLimits } from "../platform/index.ts";
import {
  type Answer,
  type Control,
  pixelsDone,
  type SegmentsTask,
  type SumsTask,
  stop,
  type Task,
} from "../task/index.ts";

const WORKER = new URL("../worker/main.js", import.meta.url);

/** What went on in a worker beyond counting: its answer, or why there is none. */
type Outcome = { readonly answer: Exclude<Answer, { kind: "input-error" }> } | { readonly error: unknown };

/** What a worker may be asked to do. */
export type AnyTask = Task | SumsTask | SegmentsTask;

/** The worker threads of an engine. */
export class Pool {
  readonly threads: number;
  readonly #piscina: Piscina<AnyTask, Answer>;
  /** Ids of the threads that are ready to work. */
  readonly #loaded = new Set<number>();

  constructor(threads: number, module: WebAssembly.Module) {
    this.threads = threads;
    this.#piscina = new Piscina({
      filename: WORKER.href,
      minThreads: threads,
      maxThreads: threads,
      // By construction never reached: calls wait in the engine.
      maxQueue: poolLimits.jobsAtOnce * threads * poolLimits.piecesPerThread,
      workerData: { module },
      recordTiming: false,
    });
    const first = new Set(this.#piscina.threads.map(({ threadId }) => threadId));
    for (const thread of this.#piscina.threads) {
      const { threadId } = thread;
      thread.once("message", () => this.#loaded.add(threadId));
    }
    // The pool takes its first threads for ready from the start.
    this.#piscina.on("workerCreate", ({ id }: { readonly id: number }) => {
      if (!first.has(id)) this.#loaded.add(id);
    });
    // A worker that dies while it has nothing to do is replaced by the pool; nothing is lost.
    this.#piscina.on("error", () => {});
  }

  /**
   * Runs tasks that share one control, all to their end, whatever happens; then the answers, or the first
   * failure. When one fails the others are told to stop, so that nothing is read or written afterwards.
   * @throws ERR_WORKER when a worker died or threw, ERR_INPUT when its input failed, the signal's reason.
   */
  async run(
    tasks: readonly AnyTask[],
    control: Control,
    { signal, onProgress }: RunOptions,
  ): Promise<Exclude<Answer, { kind: "input-error" }>[]> {
    signal?.throwIfAborted();
    const abort = () => stop(control);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = onProgress && setInterval(() => onProgress(pixelsDone(control)), poolLimits.progressMs);
    try {
      const outcomes = await Promise.all(tasks.map((task) => this.#outcome(task, control)));
      signal?.throwIfAborted();
      return outcomes.map((outcome) => {
        if ("error" in outcome) throw outcome.error;
        return outcome.answer;
      });
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** A thread that is ended while it loads its modules may bring the process down (Node 26), so that is waited for. */
  async close(): Promise<void> {
    const loading = this.#piscina.threads.filter(({ threadId }) => !this.#loaded.has(threadId));
    await Promise.all(loading.map(firstWord));
    await this.#piscina.destroy();
  }

  async #outcome(task: AnyTask, control: Control): Promise<Outcome> {
    try {
      const answer = await this.#piscina.run(task);
      if (answer.kind !== "input-error") return { answer };
      stop(control);
      return { error: new PolybinError("ERR_INPUT", answer.message, DETAILS) };
    } catch (error) {
      stop(control);
      return { error: isPolybinError(error) ? error : workerError(error) };
    }
  }
}

/** A thread says first that it is ready; or it ends. While that is waited for, it keeps the process alive. */
function firstWord(thread: Worker): Promise<void> {
  thread.ref();
  return new Promise((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
}

const DETAILS: ErrorDetails = { backend: "piscina" };

function workerError(cause: unknown): PolybinError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new PolybinError(
    "ERR_WORKER",
    `a worker failed (${what}); nothing was counted, the call may be made again`,
    {
      ...DETAILS,
      cause,
    },
  );
}
