import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { type ErrorCode, isPolybinError, PolybinError } from "@polybin/core";
import { checkedThreads, loadedOnce } from "@polybin/core/backend";
import type { Piscina } from "piscina";
import { becauseOf } from "../table/index.ts";
import type { Decoder, PoolAnswer, PoolTask } from "./decoder.ts";

const workers = loadedOnce(() => import("piscina"));

/** The worker's module. It is TypeScript if this one is, which Node runs as it is. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "../worker.ts" : "../worker.js", import.meta.url);

/** Bytes that the calling thread decodes in less time than threads take to start. */
const SMALL_BYTES = 1_048_576;

/** Threads that decode. Tables with the same number of threads share them. */
export class DecodePool implements AsyncDisposable {
  static readonly #shared = new Map<number, { readonly threads: Threads; users: number }>();

  /** Number of threads. 0: the calling thread decodes. */
  readonly threads: number;
  #isClosed = false;

  /**
   * @param threads Default: the number of processors, or 0 for a small file.
   * @param size bytes of the file, or null if they are unknown.
   * @throws ERR_INPUT or ERR_LIMIT unless `threads` is a whole number from 0 to 256.
   */
  constructor(threads: number | undefined, size: number | null) {
    const isSmall = threads === undefined && size !== null && size <= SMALL_BYTES;
    this.threads = threads === 0 || isSmall ? 0 : checkedThreads(threads, availableParallelism());
  }

  /** The number of tasks to keep in flight, so that no thread waits. */
  get ahead(): number {
    return this.threads + 1;
  }

  /**
   * Decodes on one of the threads.
   * @param transfer memory of the task that moves to the thread.
   * @throws ERR_WORKER if the thread died.
   */
  async run<T, R>(decoder: Decoder<T, R>, task: T, transfer: readonly ArrayBuffer[] = []): Promise<R> {
    if (this.#isClosed) throw new PolybinError("ERR_INPUT", "expected an open table but it is closed");
    if (this.threads === 0) {
      const { decode } = await decoder.load();
      try {
        const { value, transfer } = await decode(task);
        // As from a thread: texts are copies. Otherwise each one would keep the whole text of its part in memory.
        return structuredClone(value, { transfer: [...transfer] });
      } catch (error) {
        throw decodeError(decoder.format, error);
      }
    }
    return (await this.#threads().run({ format: decoder.format, task }, transfer)) as R;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#started === null) return;
    const entry = DecodePool.#shared.get(this.threads)!;
    entry.users--;
    if (entry.users > 0) return;
    DecodePool.#shared.delete(this.threads);
    await entry.threads.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #started: Threads | null = null;

  #threads(): Threads {
    if (this.#started !== null) return this.#started;
    const shared = DecodePool.#shared;
    let entry = shared.get(this.threads);
    if (entry === undefined) {
      entry = { threads: new Threads(this.threads), users: 0 };
      shared.set(this.threads, entry);
    }
    entry.users++;
    this.#started = entry.threads;
    return this.#started;
  }
}

class Threads {
  readonly #opened: Promise<Piscina<PoolTask, PoolAnswer>>;
  readonly #loaded = new Set<Worker>();

  constructor(threads: number) {
    this.#opened = this.#open(threads);
    // The first task rejects with the failure.
    this.#opened.catch(() => {});
  }

  async #open(threads: number): Promise<Piscina<PoolTask, PoolAnswer>> {
    const { Piscina } = await workers();
    const piscina = new Piscina<PoolTask, PoolAnswer>({
      filename: WORKER.href,
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
    });
    for (const thread of piscina.threads) thread.once("message", () => this.#loaded.add(thread));
    // The pool replaces a worker that dies while idle. Nothing is lost.
    piscina.on("error", () => {});
    return piscina;
  }

  async run(task: PoolTask, transfer: readonly ArrayBuffer[]): Promise<unknown> {
    const piscina = await this.#opened;
    const answer = await piscina
      .run(task, { transferList: [...transfer] as never })
      .catch((cause: unknown) => {
        const what = cause instanceof Error ? cause.message : String(cause);
        throw new PolybinError(
          "ERR_WORKER",
          `a thread that decodes failed (${what}): you can repeat the call`,
          { cause },
        );
      });
    if ("value" in answer) return answer.value;
    throw new PolybinError(answer.code as ErrorCode, answer.message);
  }

  /**
   * Ends the threads, and with them the tasks of a read that was left. Ending a thread while it loads its modules may crash
   * the process (Node 26), so this waits until all have loaded.
   */
  async close(): Promise<void> {
    const piscina = await this.#opened.catch(() => null);
    if (piscina === null) return;
    const loading = piscina.threads.filter((thread) => !this.#loaded.has(thread));
    await Promise.all(loading.map(firstWord));
    await piscina.destroy();
  }
}

/** Waits for a thread's first message, which says that it is ready, or for its end. */
function firstWord(thread: Worker): Promise<void> {
  thread.ref();
  return new Promise((resolve) => {
    thread.once("message", () => resolve());
    thread.once("exit", () => resolve());
  });
}

/** An error of a decoder. Decoders are libraries, too, and bytes that they do not expect are damage. */
export function decodeError(format: string, error: unknown): PolybinError {
  if (isPolybinError(error)) return error;
  const message = `a part of the ${format} file is damaged${becauseOf(error)}`;
  return new PolybinError("ERR_INPUT", message, { cause: error });
}
