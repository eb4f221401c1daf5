import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Processes of workers, which a test ends in ways that no worker can handle. */
export class Workers implements AsyncDisposable {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #all = new Set<ChildProcess>();
  readonly #ready = new Set<ChildProcess>();

  constructor(program: URL, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#program = fileURLToPath(program);
    this.#args = args;
    this.#env = env;
  }

  /** Starts a worker. Resolves when it takes shards. */
  async start(): Promise<ChildProcess> {
    const worker = spawn(process.execPath, [this.#program, ...this.#args], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...this.#env },
    });
    this.#all.add(worker);
    worker.once("exit", () => {
      this.#all.delete(worker);
      this.#ready.delete(worker);
    });
    await Promise.race([
      once(worker.stdout!, "data"),
      once(worker, "exit").then(([code, signal]) => {
        throw new Error(`a worker ended before it was ready: ${code ?? signal}`);
      }),
    ]);
    worker.stdout!.resume();
    this.#ready.add(worker);
    return worker;
  }

  /** The workers that run. */
  get running(): readonly ChildProcess[] {
    return [...this.#all];
  }

  /** The workers that take shards. */
  get ready(): readonly ChildProcess[] {
    return [...this.#ready];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running.map((worker) => kill(worker)));
  }
}

/** Ends a process at once, as a machine that loses its power does. */
export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
