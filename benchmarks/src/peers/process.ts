import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compiled } from "../programs/compiled.ts";
import { runOnce } from "../programs/lines.ts";
import type { Row } from "../runner/row.ts";

/** Milliseconds in which a peer must answer. PyTorch needs half of them for imports, and DuckDB fills tables. */
const ANSWER_MS = 60_000;
/** Milliseconds in which gcc must finish. */
const COMPILE_MS = 180_000;

/** Another program that counts the same file on request, so that both sides can alternate in one run. */
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
    // The end of its lines shows that it ended.
    this.#process.on("error", () => {});
    this.#process.stdin.on("error", () => {});
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Lets it read the file again. */
  async load(): Promise<void> {
    await this.#ask("load");
  }

  /** Switches to other samples of its type: the first `n` of a file. */
  async data(file: string, n: number): Promise<void> {
    await this.#ask(`data ${n} ${file}`);
  }

  /** Counts once and returns the milliseconds. */
  async run(): Promise<number> {
    return Number(await this.#ask("run"));
  }

  /**
   * Counts at most `most` times, for at most `seconds` seconds. Returns the milliseconds of each call until the counts are in
   * host memory. A word chooses one of the peer's methods.
   */
  async calls(most: number, seconds: number, word = ""): Promise<number[]> {
    return numbersIn(await this.#ask(`calls ${most} ${seconds} ${word}`.trim()));
  }

  /** Does the same with one histogram per `each` samples. */
  async segments(each: number, most: number, seconds: number): Promise<number[]> {
    return numbersIn(await this.#ask(`segments ${each} ${most} ${seconds}`));
  }

  /** Returns the last call's counts of a segment. */
  async row(segment: number): Promise<number[]> {
    return numbersIn(await this.#ask(`row ${segment}`));
  }

  async counts(): Promise<number[]> {
    return numbersIn(await this.#ask("counts"));
  }

  /** Returns by how many bytes calls raised the peak of its memory. Only programs in JavaScript on Linux answer this. */
  async grown(): Promise<number> {
    return Number(await this.#ask("grown"));
  }

  /** Returns what counted. Only polybin's own program answers this. */
  async about(): Promise<Pick<Row, "backend" | "device" | "algorithm">> {
    return JSON.parse(await this.#ask("about"));
  }

  /** Returns "cpu" or the name of its GPU. Only Python's libraries answer this. */
  where(): Promise<string> {
    return this.#ask("where");
  }

  /** Ends the process, and kills it if it does not end. */
  [Symbol.dispose](): void {
    this.#process.stdin.end();
    setTimeout(() => this.#process.kill("SIGKILL"), this.#answerMs).unref();
  }

  /** Sends a line and returns the answer. A peer that does not answer in time is killed, which ends its lines. */
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

/** An error for a peer that hangs. Another request would wait again. */
export class NoAnswer extends Error {}

/** Samples in a file, and their equal bins. */
export interface PeerJob {
  readonly file: string;
  readonly n: number;
  readonly type: string;
  readonly bins: number;
  readonly lo: number;
  readonly hi: number;
  /** Words of peers/peer.mjs that say more about the samples or the method. */
  readonly words?: readonly string[];
}

/** A kind of peer. */
export interface PeerKind {
  readonly name: string;
  /** Number of threads. */
  readonly threads: number;
  /** Whether it takes many times as long as the plain loop. It then takes part on small data only. */
  readonly slow: boolean;
  /** Whether it counts on a GPU if there is one. */
  readonly gpu: boolean;
  /** Returns why it is not available; null if it is. Called once. @param scratch a folder for its files */
  absent(scratch: string): string | null;
  /** Returns why it cannot count this; null if it can. */
  refuses(job: PeerJob): string | null;
  start(job: PeerJob, scratch: string): Peer;
}

/** Without the last two, the compiler would not find the bins of floats in vectors. */
const FLAGS = [
  ...["-O3", "-march=native", "-std=gnu17", "-fopenmp"],
  ...["-fno-trapping-math", "-fno-math-errno"],
];
/** The folder of the peers' programs: next to this program in a bundle, else in the checkout. */
const folder =
  ["./peers/", "../../peers/"]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find(existsSync) ?? "";
const require = createRequire(import.meta.url);

const isBytes = ({ type, bins }: PeerJob): boolean => type === "u8" && bins === 256;
const argsOf = ({ file, n, type, bins, lo, hi, words = [] }: PeerJob): string[] => [
  file,
  ...[n, type, bins, lo, hi].map(String),
  ...words,
];

/** Makes a peer of an npm package, in a separate process, so that our code cannot slow it down. */
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

/** Makes a peer of a Python library. */
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
        return `python3 with ${module} is not available or failed (${(error as Error).message})`;
      }
    },
    refuses: () => null,
    start: (job) => new Peer(name, "python3", [join(folder, "histograms.py"), name, ...argsOf(job)]),
    ...more,
  };
}

/** The most samples for DuckDB, which needs a call for each sample to fill its table. */
const DUCKDB_SAMPLES = 2 ** 24;

const LOOP: PeerKind = script("js-loop", "loop.mjs", null);
/** The C loops. Several threads share the samples in memory. */
const cOn = (name: string, threads: number): PeerKind => ({
  ...LOOP,
  name,
  threads,
  absent: (scratch) => {
    try {
      const program = join(scratch, "histograms");
      if (!existsSync(program))
        runOnce("gcc", [...FLAGS, join(folder, "histograms.c"), "-o", program], COMPILE_MS);
      return null;
    } catch (error) {
      return `gcc is not available or failed (${(error as Error).message})`;
    }
  },
  start: (job, scratch) =>
    new Peer(name, join(scratch, "histograms"), [...argsOf(job), `threads=${threads}`]),
});
const C: PeerKind = cOn("c", 1);
const NUMPY: PeerKind = python("numpy", "numpy");
/** CUB's program. The archive for GPU machines has it compiled. Elsewhere nvcc compiles it for this GPU in about a minute. */
const CUB: PeerKind = {
  ...LOOP,
  name: "cub",
  gpu: true,
  absent: () => {
    try {
      compiled("histograms");
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  },
  start: (job) => new Peer("cub", compiled("histograms"), argsOf(job)),
};

/** All peers in separate processes. luma.gl and the page share our process and are listed elsewhere. */
export const PEERS: readonly PeerKind[] = [
  LOOP,
  C,
  cOn("c-threads", availableParallelism()),
  NUMPY,
  script("d3-array", "d3.mjs", "d3-array", { slow: true }),
  script("image-js", "image.mjs", "image-js", {
    refuses: (job) => (isBytes(job) ? null : "it is measured on bytes in 256 bins only"),
  }),
  script("duckdb", "duckdb.mjs", "@duckdb/node-api", {
    threads: availableParallelism(),
    slow: true,
    refuses: ({ n }) =>
      n <= DUCKDB_SAMPLES
        ? null
        : `it takes too long to fill its table with more than ${DUCKDB_SAMPLES} samples`,
  }),
  python("opencv", "cv2", {
    threads: availableParallelism(),
    refuses: ({ type }) =>
      ["u8", "u16", "f32"].includes(type) ? null : "cv2.calcHist takes u8, u16 and f32 only",
  }),
  python("fast-histogram", "fast_histogram", {
    refuses: ({ type }) => (type === "f32" || type === "f64" ? null : "it is measured on floats only"),
  }),
  python("pytorch", "torch", {
    threads: availableParallelism(),
    gpu: true,
    refuses: ({ type }) => (["u16", "u32"].includes(type) ? `PyTorch does not count ${type}` : null),
  }),
  python("cupy", "cupy", { gpu: true }),
  CUB,
];

/** The variants of the plain loop in peers/loop.mjs, which show the cost of exactness and of other arrays. */
export const LOOP_WAYS: Readonly<Record<string, readonly string[]>> = {
  "": [],
  "checks the range": ["checked"],
  "has seen four types": ["seen"],
  "checks the range, has seen four types": ["checked", "seen"],
};

/** Starts one of these variants. */
export function loopPeer(job: PeerJob, way: string): Peer {
  return new Peer("js-loop", process.execPath, [
    join(folder, "loop.mjs"),
    ...argsOf(job),
    ...LOOP_WAYS[way]!,
  ]);
}

/** Starts polybin in a process of its own. Its words choose a backend. */
export function ownPeer(name: string, job: PeerJob): Peer {
  // A bundle has it in the folder of its programs.
  const program = [join(folder, "polybin.mjs"), join(folder, "..", "polybin.mjs")].find(existsSync)!;
  return new Peer(name, process.execPath, [program, ...argsOf(job)]);
}

/** Makes a job of bytes in 256 bins, for the worker pool's benchmark. */
const bytesIn = (file: string, n: number): PeerJob => ({ file, n, type: "u8", bins: 256, lo: 0, hi: 256 });

/** Starts the plain JavaScript loop over bytes. */
export function jsPeer(file: string, n: number): Peer {
  return LOOP.start(bytesIn(file, n), "");
}

/** Starts the plain loop with weights, from two files and a table's features and bins. It returns each feature's counts, then its sums. */
export function weightedJsPeer(values: string, weights: string, features: number, bins: number): Peer {
  const args = [values, weights, String(features), String(bins)];
  return new Peer("js-loop", process.execPath, [join(folder, "weighted-loop.mjs"), ...args]);
}

/** Starts the C loop over bytes, or returns why it is missing. */
export function cPeer(file: string, n: number, scratch: string): Peer | string {
  const absent = C.absent(scratch);
  return absent === null ? C.start(bytesIn(file, n), scratch) : `c: ${absent}`;
}

/** Starts NumPy, or returns why it is missing. */
export function numpyPeer(file: string, n: number, scratch: string): Peer | string {
  const absent = NUMPY.absent(scratch);
  return absent === null ? NUMPY.start(bytesIn(file, n), scratch) : `numpy: ${absent}`;
}
