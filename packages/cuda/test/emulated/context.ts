import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { limits } from "@polybin/core/backend";
import type { Context, NativeSums, NativeSumsJob, NativeSumsLaunch } from "../../src/border/index.ts";
import { type SumsKernel, sumsKernels } from "../../src/kernels/index.ts";

/** The kernels of main.cc in its order, which is that of native/generated/kernels.inc. */
export const EMULATED: readonly SumsKernel[] = sumsKernels;

/** Rows in the layout of native/memory/residents.cc. */
interface Table {
  readonly bytes: Uint8Array;
  readonly pitch: number;
}

/** A context whose weighted kernels run on the host in a separate process. */
export class EmulatedContext implements Pick<Context, "uploadTable" | "sums" | "free" | "close"> {
  readonly #program: string;
  #process: Emulation | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #tables = new Map<number, Table>();
  #next = 1;

  constructor(program: string) {
    this.#program = program;
  }

  async uploadTable({ bytes, rowBytes }: Parameters<Context["uploadTable"]>[0]): Promise<number> {
    const rows = rowBytes === 0 ? 0 : bytes.length / rowBytes;
    const pitch = limits.divideCeiling(rowBytes, limits.VECTOR_BYTES) * limits.VECTOR_BYTES;
    const laidOut = new Uint8Array(rows * pitch);
    for (let row = 0; row < rows; row++) {
      laidOut.set(bytes.subarray(row * rowBytes, (row + 1) * rowBytes), row * pitch);
    }
    this.#tables.set(this.#next, { bytes: laidOut, pitch });
    return this.#next++;
  }

  async sums(job: NativeSumsJob): Promise<NativeSums> {
    const table = this.#tables.get(job.table)!;
    if (job.control && Atomics.load(job.control.stop, 0) !== 0) {
      throw Object.assign(new Error("stopped"), { code: "ERR_STOPPED" });
    }
    const out = await this.#run([
      header(job, table),
      table.bytes,
      job.weights,
      ...(job.squares ? [job.squares] : []),
      ...(job.list ? [job.list] : []),
      ...job.launches.flatMap(launchWords),
    ]);
    for (const { rows } of job.launches) {
      if (job.control) Atomics.add(job.control.done, 0, BigInt(rows.length * job.documents));
    }
    const totals =
      job.weights instanceof Float32Array
        ? new Float64Array(out)
        : Float64Array.from(new BigInt64Array(out), Number);
    const ms = job.timed ? job.launches.flatMap(({ rows }) => Array.from(rows, () => 1)) : [];
    return { totals, ms, kernelMs: job.launches.length, uploadMs: 0 };
  }

  async free(id: number): Promise<void> {
    this.#tables.delete(id);
  }

  async close(): Promise<void> {
    this.#tables.clear();
    this.#process?.end();
  }

  /**
   * Runs the jobs one after the other in one process, because starting a process takes longer than most jobs. After a
   * failure it starts another process.
   */
  #run(input: readonly ArrayBufferView[]): Promise<ArrayBuffer> {
    const run = this.#last.then(() => {
      this.#process ??= new Emulation(this.#program);
      return this.#process.run(input);
    });
    this.#last = run.catch(() => {
      this.#process = null;
    });
    return run;
  }
}

function header({ documents, squares, list, launches }: NativeSumsJob, { bytes, pitch }: Table): Uint32Array {
  const rows = pitch === 0 ? 0 : bytes.length / pitch;
  return Uint32Array.of(documents, pitch, rows, squares?.length ?? 0, list?.length ?? 0, launches.length);
}

/** Packed structs, with the kernel's number and the size of its own struct before them. */
function launchWords({ algorithm, plan, own, rows, skip }: NativeSumsLaunch): readonly ArrayBufferView[] {
  const kernel = EMULATED.findIndex((of) => of.algorithm.slug === algorithm);
  const features = Array.from(rows).flatMap((row, i) => [row, skip[i]!]);
  return [Uint32Array.of(kernel, own.length), plan, own, Uint32Array.of(rows.length, ...features)];
}

/** A kernel that never ends also counts as a failure. */
const LONGEST_MS = 120_000;

/** The program of main.cc. It accepts jobs until its input ends. */
class Emulation {
  readonly #child: ChildProcessWithoutNullStreams;
  /** The output of the current job so far, and the promise that waits for all of it. */
  #printed: Buffer[] = [];
  #told = "";
  #job: PromiseWithResolvers<ArrayBuffer> | null = null;

  constructor(program: string) {
    this.#child = spawn(program);
    // A program that ended early accepts no input. Its exit status says why.
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (piece) => {
      this.#told += piece;
    });
    this.#child.stdout.on("data", (piece: Buffer) => this.#take(piece));
    this.#child.on("error", (error) => this.#job?.reject(error));
    this.#child.on("close", (code, signal) =>
      this.#job?.reject(new Error(`the emulated kernel ended with ${signal ?? code}: ${this.#told}`)),
    );
  }

  /** @throws the program's message if it ended */
  async run(input: readonly ArrayBufferView[]): Promise<ArrayBuffer> {
    this.#job = Promise.withResolvers();
    if (this.#child.exitCode !== null) throw new Error(`the emulated kernels have ended: ${this.#told}`);
    const timer = setTimeout(() => this.#child.kill(), LONGEST_MS);
    const bytes = input.reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const { buffer, byteOffset, byteLength } of [Uint32Array.of(bytes), ...input]) {
      this.#child.stdin.write(new Uint8Array(buffer, byteOffset, byteLength).slice());
    }
    return this.#job.promise.finally(() => clearTimeout(timer));
  }

  end(): void {
    this.#child.stdin.end();
  }

  #take(piece: Buffer): void {
    this.#printed.push(piece);
    const all = Buffer.concat(this.#printed);
    this.#printed = [all];
    if (all.length < Uint32Array.BYTES_PER_ELEMENT) return;
    const end = Uint32Array.BYTES_PER_ELEMENT + all.readUInt32LE();
    if (all.length < end) return;
    this.#printed = [];
    const totals = new Uint8Array(all.subarray(Uint32Array.BYTES_PER_ELEMENT, end));
    this.#job?.resolve(totals.buffer);
  }
}
