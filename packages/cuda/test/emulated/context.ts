import { spawn } from "node:child_process";
import { buffer } from "node:stream/consumers";
import { limits } from "@polybin/core/backend";
import type { Context, NativeSums, NativeSumsJob, NativeSumsLaunch } from "../../src/border/index.ts";
import { type SumsKernel, sumsKernels } from "../../src/kernels/index.ts";

/** The kernels of main.cc, in its order: that of native/generated/kernels.inc. */
export const EMULATED: readonly SumsKernel[] = sumsKernels;

/** Rows as native/memory/residents.cc lays them out. */
interface Table {
  readonly bytes: Uint8Array;
  readonly pitch: number;
}

/** A context whose weighted kernels run on the host, each job in a process of its own; it does nothing else. */
export class EmulatedContext implements Context {
  readonly #program: string;
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
    if (Atomics.load(job.control.stop, 0) !== 0) {
      throw Object.assign(new Error("stopped"), { code: "ERR_STOPPED" });
    }
    const out = await run(this.#program, [
      header(job, table),
      table.bytes,
      job.weights,
      ...(job.squares ? [job.squares] : []),
      ...(job.list ? [job.list] : []),
      ...job.launches.flatMap(launchWords),
    ]);
    for (const { rows } of job.launches) {
      Atomics.add(job.control.done, 0, BigInt(rows.length * job.documents));
    }
    const totals =
      job.weights instanceof Float32Array
        ? new Float64Array(out)
        : Float64Array.from(new BigInt64Array(out), Number);
    const ms = job.launches.map((_, i) => i + 1);
    return { totals, ms, kernelMs: ms.length, uploadMs: 0 };
  }

  async free(id: number): Promise<void> {
    this.#tables.delete(id);
  }

  async close(): Promise<void> {
    this.#tables.clear();
  }

  upload(): Promise<never> {
    return notEmulated();
  }

  count(): Promise<never> {
    return notEmulated();
  }

  extent(): Promise<never> {
    return notEmulated();
  }

  segments(): Promise<never> {
    return notEmulated();
  }

  readRows(): Promise<never> {
    return notEmulated();
  }

  freeRows(): Promise<never> {
    return notEmulated();
  }
}

async function notEmulated(): Promise<never> {
  throw new Error("only weighted kernels are emulated");
}

function header({ documents, squares, list, launches }: NativeSumsJob, { bytes, pitch }: Table): Uint32Array {
  const rows = pitch === 0 ? 0 : bytes.length / pitch;
  return Uint32Array.of(documents, pitch, rows, squares?.length ?? 0, list?.length ?? 0, launches.length);
}

/** Structs as they are packed, behind which kernel and how many bytes its own has. */
function launchWords({ algorithm, plan, own, rows, skip }: NativeSumsLaunch): readonly ArrayBufferView[] {
  const kernel = EMULATED.findIndex((of) => of.algorithm.slug === algorithm);
  const features = Array.from(rows).flatMap((row, i) => [row, skip[i]!]);
  return [Uint32Array.of(kernel, own.length), plan, own, Uint32Array.of(rows.length, ...features)];
}

/** A kernel that never ends is a failure, too. */
const LONGEST_MS = 120_000;

async function run(program: string, input: readonly ArrayBufferView[]): Promise<ArrayBuffer> {
  const child = spawn(program, {
    stdio: ["pipe", "pipe", "pipe"],
    timeout: LONGEST_MS,
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(`${signal ?? code}`));
  });
  // One that ends early takes no more; its exit says why.
  child.stdin.on("error", () => {});
  for (const { buffer: of, byteOffset, byteLength } of input) {
    child.stdin.write(new Uint8Array(of, byteOffset, byteLength).slice());
  }
  child.stdin.end();
  const [out, error, end] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  if (end !== "0") throw new Error(`the emulated kernel ended with ${end}: ${error}`);
  return out.buffer.slice(out.byteOffset, out.byteOffset + out.byteLength) as ArrayBuffer;
}
