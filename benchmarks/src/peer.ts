import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

/** Somebody else's program that counts the same file when told to, so that both sides take turns in one run. */
export class Peer {
  readonly name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, command: string, args: readonly string[]) {
    this.name = name;
    this.#process = spawn(command, args);
    this.#process.stderr.pipe(process.stderr);
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Reads the file again. */
  async load(): Promise<void> {
    await this.#ask("load");
  }

  /** Counts once; milliseconds. */
  async run(): Promise<number> {
    return Number(await this.#ask("run"));
  }

  async counts(): Promise<number[]> {
    return (await this.#ask("counts")).trim().split(/\s+/).map(Number);
  }

  close(): void {
    this.#process.stdin.end();
  }

  async #ask(line: string): Promise<string> {
    this.#process.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the peer ${this.name} ended`);
    return value;
  }
}

const FLAGS = ["-O3", "-march=native", "-std=gnu17"];
const folder = new URL("../peers/", import.meta.url).pathname;

/** The plain JavaScript loop, in a process of its own, so that nothing of ours can slow it down. */
export function jsPeer(file: string, n: number): Peer {
  return new Peer("js-loop", process.execPath, [join(folder, "loop.mjs"), file, String(n)]);
}

/** The same with weights: two files, and the features and bins of a table. Its counts are each feature's, then its sums. */
export function weightedJsPeer(values: string, weights: string, features: number, bins: number): Peer {
  const args = [values, weights, String(features), String(bins)];
  return new Peer("js-loop", process.execPath, [join(folder, "weighted-loop.mjs"), ...args]);
}

/** The C loop, or why there is none. */
export function cPeer(file: string, n: number, scratch: string): Peer | string {
  const program = join(scratch, "loop");
  try {
    execFileSync("gcc", [...FLAGS, join(folder, "loop.c"), "-o", program], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    return `c: gcc is not there or failed (${(error as Error).message.split("\n")[0]})`;
  }
  return new Peer("c", program, [file, String(n)]);
}

/** NumPy, or why there is none. */
export function numpyPeer(file: string, n: number): Peer | string {
  try {
    execFileSync("python3", ["-c", "import numpy"], { stdio: "pipe" });
  } catch {
    return "numpy: python3 with numpy is not there";
  }
  return new Peer("numpy", "python3", [join(folder, "bincount.py"), file, String(n)]);
}
