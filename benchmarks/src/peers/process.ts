import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Milliseconds that a peer has to answer: PyTorch imports for half of them, and DuckDB fills tables. */
const ANSWER_MS = 60_000;
/** And a compiler. */
const COMPILE_MS = 180_000;

/** Somebody else's program that counts the same file when told to, so that both sides take turns in one run. */
export class Peer {
  readonly name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #answerMs: number;
  #errors = "";
  #isLate = false;

  constructor(name: string, command: string, args: readonly string[], answerMs: number = ANSWER_MS) {
    this.name = name;
    this.#answerMs = answerMs;
    this.#process = spawn(command, args);
    this.#process.stderr.on("data", (text) => (this.#errors += text));
    // That it ended is told by its lines ending.
    this.#process.on("error", () => {});
    this.#process.stdin.on("error", () => {});
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Reads the file again. */
  async load(): Promise<void> {
    await this.#ask("load");
  }

  /** Has other samples of its type from now on: the first `n` of a file. */
  async data(file: string, n: number): Promise<void> {
    await this.#ask(`data ${n} ${file}`);
  }

  /** Counts once; milliseconds. */
  async run(): Promise<number> {
    return Number(await this.#ask("run"));
  }

  /**
   * Counts at most so many times, for at most so many seconds; milliseconds of each, until the counts are in the host's
   * memory. A word chooses among a peer's ways.
   */
  async calls(most: number, seconds: number, word = ""): Promise<number[]> {
    return numbersIn(await this.#ask(`calls ${most} ${seconds} ${word}`.trim()));
  }

  /** The same with a histogram for each so many samples. */
  async segments(each: number, most: number, seconds: number): Promise<number[]> {
    return numbersIn(await this.#ask(`segments ${each} ${most} ${seconds}`));
  }

  /** What the last call found in a segment. */
  async row(segment: number): Promise<number[]> {
    return numbersIn(await this.#ask(`row ${segment}`));
  }

  async counts(): Promise<number[]> {
    return numbersIn(await this.#ask("counts"));
  }

  /** "cpu", or the GPU that it counts on; asked of Python's libraries alone. */
  where(): Promise<string> {
    return this.#ask("where");
  }

  /** One that does not end is killed, too. */
  close(): void {
    this.#process.stdin.end();
    setTimeout(() => this.#process.kill("SIGKILL"), this.#answerMs).unref();
  }

  /** One that does not answer in time is killed, which ends its lines. */
  async #ask(line: string): Promise<string> {
    const deadline = setTimeout(() => {
      this.#isLate = true;
      this.#process.kill("SIGKILL");
    }, this.#answerMs);
    this.#process.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    clearTimeout(deadline);
    if (!done) return value;
    if (this.#isLate) {
      throw new NoAnswer(`the peer ${this.name} did not answer "${line}" in ${this.#answerMs / 1000} s`);
    }
    const last = this.#errors.trim().split("\n").at(-1);
    throw new Error(`the peer ${this.name} ended${last ? `: ${last}` : ""}`);
  }
}

function numbersIn(line: string): number[] {
  return line.trim().split(/\s+/).map(Number);
}

/** A peer hangs: whoever asks it again waits again. */
export class NoAnswer extends Error {}

/** Runs a program to its end, or throws what went wrong in one line. */
function runOnce(command: string, args: readonly string[], timeout: number): void {
  try {
    execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], timeout, killSignal: "SIGKILL" });
  } catch (error) {
    const { code, message, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    const last = stderr?.toString().trim().split("\n").at(-1) || message.split("\n")[0];
    throw new Error(code === "ETIMEDOUT" ? `no answer in ${timeout / 1000} s` : last);
  }
}

/** Samples in a file, and the equal bins that count them. */
export interface PeerJob {
  readonly file: string;
  readonly n: number;
  readonly type: string;
  readonly bins: number;
  readonly lo: number;
  readonly hi: number;
}

/** A program that may take part. */
export interface PeerKind {
  readonly name: string;
  /** Threads at work. */
  readonly threads: number;
  /** A call takes it many times as long as the plain loop: it takes part where the data are small and few. */
  readonly slow: boolean;
  /** Does it count on a GPU where there is one? */
  readonly gpu: boolean;
  /** Why it is not here; null where it is. Asked once; `scratch` is a folder for what it needs. */
  absent(scratch: string): string | null;
  /** Why it cannot count this; null where it can. */
  refuses(job: PeerJob): string | null;
  start(job: PeerJob, scratch: string): Peer;
}

const FLAGS = ["-O3", "-march=native", "-std=gnu17"];
/** Beside this program where it was bundled, else in the checkout. */
const folder =
  ["./peers/", "../../peers/"]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find(existsSync) ?? "";
const require = createRequire(import.meta.url);

const isBytes = ({ type, bins }: PeerJob): boolean => type === "u8" && bins === 256;
const argsOf = ({ file, n, type, bins, lo, hi }: PeerJob): string[] => [
  file,
  ...[n, type, bins, lo, hi].map(String),
];

/** A script of ours around an npm package, in a process of its own, so that nothing of ours can slow it down. */
function script(name: string, file: string, needs: string | null, more: Partial<PeerKind> = {}): PeerKind {
  return {
    name,
    threads: 1,
    slow: false,
    gpu: false,
    absent: () => (needs === null ? null : absentPackage(needs)),
    refuses: () => null,
    start: (job) => new Peer(name, process.execPath, [join(folder, file), ...argsOf(job)]),
    ...more,
  };
}

function absentPackage(name: string): string | null {
  try {
    require.resolve(name);
    return null;
  } catch {
    return `the npm package ${name} is not installed`;
  }
}

/** A library of Python's. */
function python(name: string, module: string, more: Partial<PeerKind> = {}): PeerKind {
  return {
    name,
    threads: 1,
    slow: false,
    gpu: false,
    absent: () => {
      try {
        runOnce("python3", ["-c", `import numpy, ${module}`], ANSWER_MS);
        return null;
      } catch (error) {
        return `python3 with ${module} is not there or failed (${(error as Error).message})`;
      }
    },
    refuses: () => null,
    start: (job) => new Peer(name, "python3", [join(folder, "histograms.py"), name, ...argsOf(job)]),
    ...more,
  };
}

/** Past this many samples each costs DuckDB a call to put it into a table. */
const DUCKDB_SAMPLES = 2 ** 24;

const LOOP: PeerKind = script("js-loop", "loop.mjs", null);
const C: PeerKind = {
  ...LOOP,
  name: "c",
  absent: (scratch) => {
    try {
      runOnce("gcc", [...FLAGS, join(folder, "loop.c"), "-o", join(scratch, "loop")], COMPILE_MS);
      return null;
    } catch (error) {
      return `gcc is not there or failed (${(error as Error).message})`;
    }
  },
  refuses: (job) => (isBytes(job) ? null : "it counts bytes in 256 bins"),
  start: ({ file, n }, scratch) => new Peer("c", join(scratch, "loop"), [file, String(n)]),
};
const NUMPY: PeerKind = python("numpy", "numpy");
/** Compiled already in the archive for GPU machines, else by nvcc for the GPU at hand, which takes it a minute. */
const CUB: PeerKind = {
  ...LOOP,
  name: "cub",
  gpu: true,
  absent: (scratch) => {
    if (existsSync(join(folder, "histograms"))) return null;
    try {
      runOnce("nvidia-smi", ["-L"], ANSWER_MS);
    } catch (error) {
      return `there is no NVIDIA GPU (${(error as Error).message})`;
    }
    try {
      const program = [join(folder, "histograms.cu"), "-o", join(scratch, "histograms")];
      runOnce("nvcc", ["-std=c++17", "-O3", "-arch=native", ...program], COMPILE_MS);
      return null;
    } catch (error) {
      return `nvcc is not there or failed (${(error as Error).message})`;
    }
  },
  start: (job, scratch) => {
    const place = [folder, scratch].find((one) => existsSync(join(one, "histograms")))!;
    return new Peer("cub", join(place, "histograms"), argsOf(job));
  },
};

/** Whoever counts beside us in processes of their own; luma.gl and the page share our process, and are elsewhere. */
export const PEERS: readonly PeerKind[] = [
  LOOP,
  C,
  NUMPY,
  script("d3-array", "d3.mjs", "d3-array", { slow: true }),
  script("image-js", "image.mjs", "image-js", {
    refuses: (job) => (isBytes(job) ? null : "it is asked for bytes in 256 bins"),
  }),
  script("duckdb", "duckdb.mjs", "@duckdb/node-api", {
    threads: availableParallelism(),
    slow: true,
    refuses: ({ n }) => (n <= DUCKDB_SAMPLES ? null : `filling its table past ${DUCKDB_SAMPLES} takes long`),
  }),
  python("opencv", "cv2", {
    threads: availableParallelism(),
    refuses: ({ type }) =>
      ["u8", "u16", "f32"].includes(type) ? null : "cv2.calcHist takes u8, u16 and f32",
  }),
  python("pytorch", "torch", {
    threads: availableParallelism(),
    gpu: true,
    refuses: ({ type }) => (["u16", "u32"].includes(type) ? `PyTorch does not count ${type}` : null),
  }),
  python("cupy", "cupy", { gpu: true }),
  CUB,
];

/** The plain loop in its ways, as peers/loop.mjs knows them: what exactness costs it, and what other arrays do. */
export const LOOP_WAYS: Readonly<Record<string, readonly string[]>> = {
  "": [],
  "checks the range": ["checked"],
  "has seen four types": ["seen"],
  "checks the range, has seen four types": ["checked", "seen"],
};

/** One of these. */
export function loopPeer(job: PeerJob, way: string): Peer {
  return new Peer("js-loop", process.execPath, [
    join(folder, "loop.mjs"),
    ...argsOf(job),
    ...LOOP_WAYS[way]!,
  ]);
}

/** Bytes in 256 bins, as the worker pool's benchmark asks for. */
const bytesIn = (file: string, n: number): PeerJob => ({ file, n, type: "u8", bins: 256, lo: 0, hi: 256 });

/** The plain JavaScript loop over bytes. */
export function jsPeer(file: string, n: number): Peer {
  return LOOP.start(bytesIn(file, n), "");
}

/** The same with weights: two files, and the features and bins of a table. Its counts are each feature's, then its sums. */
export function weightedJsPeer(values: string, weights: string, features: number, bins: number): Peer {
  const args = [values, weights, String(features), String(bins)];
  return new Peer("js-loop", process.execPath, [join(folder, "weighted-loop.mjs"), ...args]);
}

/** The C loop over bytes, or why there is none. */
export function cPeer(file: string, n: number, scratch: string): Peer | string {
  const absent = C.absent(scratch);
  return absent === null ? C.start(bytesIn(file, n), scratch) : `c: ${absent}`;
}

/** NumPy, or why there is none. */
export function numpyPeer(file: string, n: number, scratch: string): Peer | string {
  const absent = NUMPY.absent(scratch);
  return absent === null ? NUMPY.start(bytesIn(file, n), scratch) : `numpy: ${absent}`;
}
