import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PolybinError } from "@polybin/core";
import { PASSWORD_VARIABLE, URL_VARIABLE } from "../connect.ts";

/** Times that a worker which ended is started again, per worker. */
const RESTARTS = 3;
/** Milliseconds that a worker has to close. */
const CLOSE_MS = 2_000;

/** The number of workers, the program that starts one, and their Redis. */
export interface LocalWorkers {
  readonly count: number;
  /** The program of a worker and its arguments. It must call `endWithParent`. */
  readonly command: readonly [string, ...string[]];
  readonly url: string;
  readonly password: string;
}

/** Worker processes of a command. They end with it, however it ends. */
export class WorkerProcesses {
  /** Rejects if the workers end again and again. */
  readonly lost: Promise<never>;
  readonly #options: LocalWorkers;
  readonly #running = new Set<ChildProcess>();
  #restarts: number;
  #closing = false;
  #reject!: (error: Error) => void;

  constructor(options: LocalWorkers) {
    this.#options = options;
    this.#restarts = options.count * RESTARTS;
    this.lost = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Somebody who only closes them does not listen.
    this.lost.catch(() => {});
    for (let i = 0; i < options.count; i++) this.#start();
  }

  #start(): void {
    const { command, url, password } = this.#options;
    const [program, ...args] = command;
    const worker = spawn(program, args, {
      // The channel closes when this process ends, even if it is killed.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, [URL_VARIABLE]: url, [PASSWORD_VARIABLE]: password },
    });
    this.#running.add(worker);
    const ended = (how: string) => {
      if (!this.#running.delete(worker) || this.#closing) return;
      if (this.#restarts-- > 0) this.#start();
      else
        this.#reject(
          new PolybinError("ERR_WORKER", `the worker processes end again and again: the last one ${how}`),
        );
    };
    worker.once("error", (error) => ended(`did not start: ${error.message}`));
    worker.once("exit", (code, signal) =>
      ended(signal === null ? `exited with ${code}` : `was killed by ${signal}`),
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(
      [...this.#running].map(async (worker) => {
        const ended = once(worker, "exit");
        worker.kill("SIGTERM");
        const late = setTimeout(() => worker.kill("SIGKILL"), CLOSE_MS);
        await ended;
        clearTimeout(late);
      }),
    );
  }
}

/** Ends this process when the process that started it with a channel is gone. Without a channel, does nothing. */
export function endWithParent(): void {
  if (process.channel === undefined) return;
  process.once("disconnect", () => process.exit(1));
  process.channel.unref();
}
