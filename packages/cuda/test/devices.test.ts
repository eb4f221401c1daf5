import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Backend,
  type DeviceLimits,
  type Engine,
  fileSamples,
  openEngine,
  regular,
} from "@polybin/core";
import { afterAll, describe, expect, it, vi } from "vitest";
import { CudaDevice } from "../src/device.ts";
import type { Context, NativeControl, NativeJob, NativeSource } from "../src/native.ts";

// What several devices come to, on contexts that count bytes in JavaScript: no GPU is needed for that.

class FakeContext implements Context {
  readonly residents = new Map<number, Uint8Array>();
  readonly jobs: NativeSource[] = [];
  closed = false;
  /** What the next call does before it is done. */
  before: (control: NativeControl) => Promise<void> = async () => {};
  #next = 1;

  async upload({ source, control }: { source: NativeSource; control: NativeControl }): Promise<number> {
    const bytes = this.#bytes(source);
    await this.#work(source, control);
    this.residents.set(this.#next, bytes);
    return this.#next++;
  }

  async free(id: number): Promise<void> {
    this.residents.delete(id);
  }

  async count({ source, plan, control }: NativeJob) {
    const counts = new Float64Array(plan.cells + 3);
    await this.#work(source, control);
    for (const byte of this.#bytes(source)) counts[byte]! += 1;
    return { counts, kernelMs: this.jobs.length, uploadMs: 1 };
  }

  async extent({ source, control }: { source: NativeSource; control: NativeControl }) {
    await this.#work(source, control);
    const keys = [...this.#bytes(source)];
    return { min: BigInt(Math.min(255, ...keys)), max: BigInt(Math.max(0, ...keys)) };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.residents.clear();
  }

  async #work(source: NativeSource, control: NativeControl): Promise<void> {
    this.jobs.push(source);
    await this.before(control);
    if (Atomics.load(control.stop, 0) !== 0) throw failure("ERR_STOPPED", "stopped");
    Atomics.add(control.done, 0, BigInt(source.pixels));
  }

  #bytes({ bytes, resident, first, pixels, width, rowPitch, fd }: NativeSource): Uint8Array {
    if (fd !== undefined) return new Uint8Array(pixels).fill(7);
    if (resident !== undefined) return this.residents.get(resident)!.subarray(first, first + pixels);
    return Uint8Array.from({ length: pixels }, (_, i) => {
      const at = first + i;
      return bytes![Math.floor(at / width) * rowPitch + (at % width)]!;
    });
  }
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const limits: DeviceLimits = {
  kind: "gpu",
  units: 132,
  warp: 32,
  banks: 32,
  sharedBytes: 232_448,
  blockThreads: 1024,
  chunkSamples: 2 ** 32 - 1,
};

async function open(devices: number): Promise<{ engine: Engine; contexts: FakeContext[] }> {
  const contexts = Array.from({ length: devices }, () => new FakeContext());
  const backend: Backend = {
    id: "cuda",
    algorithms: ["per-lane"],
    probe: async () => ({ available: true, device: "fake" }),
    open: async () => new CudaDevice("fake", limits, contexts),
  };
  return { engine: await openEngine({ backend }), contexts };
}

/** Waits until the call is told to stop, as a long count would. */
async function untilStopped({ stop }: NativeControl): Promise<void> {
  while (Atomics.load(stop, 0) === 0) await sleep(1);
}

const folder = mkdtempSync(join(tmpdir(), "polybin-devices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = Uint8Array.from({ length: 10_007 }, (_, i) => (i * i + (i >> 3)) & 255);
const cells = (bytes: Iterable<number>) => {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  return counts;
};

describe.each([1, 2, 3, 8])("%i devices", (devices) => {
  it.each([0, 1, 63, 65, 1000, random.length])(
    "count %i bytes exactly, of host memory and resident",
    async (n) => {
      const { engine, contexts } = await open(devices);
      const bytes = random.subarray(0, n);
      const resident = await engine.upload(bytes);
      for (const input of [bytes, resident]) {
        expect([...(await engine.histogram(input)).counts]).toEqual(cells(bytes));
      }
      expect(
        contexts.flatMap(({ residents }) => [...residents.values()]).reduce((a, b) => a + b.length, 0),
      ).toBe(n);
      await resident.free();
      expect(contexts.every(({ residents }) => residents.size === 0)).toBe(true);
      await engine.close();
      expect(contexts.every(({ closed }) => closed)).toBe(true);
    },
  );

  it("split rows that are apart, and find the extent", async () => {
    const { engine } = await open(devices);
    const picture = { data: random.subarray(0, 9000), width: 31, height: 90, rowPitch: 100 };
    const inside = random.filter((_, i) => i % 100 < 31 && i < 9000);
    expect([...(await engine.histogram(picture)).counts]).toEqual(cells(inside));
    expect(await engine.extent(picture)).toEqual({ min: Math.min(...inside), max: Math.max(...inside) });
    const resident = await engine.upload(picture);
    expect([...(await engine.histogram(resident)).counts]).toEqual(cells(inside));
    expect(await engine.extent(new Uint8Array(0))).toEqual({ min: Infinity, max: -Infinity });
    await engine.close();
  });

  it("read one file, each its own range", async () => {
    const { engine, contexts } = await open(devices);
    const path = join(folder, `${devices}`);
    writeFileSync(path, new Uint8Array(1005));
    const h = await engine.histogram(fileSamples({ path, bytes: 1000, offset: 5 }));
    expect(h.counts[7]).toBe(1000);
    const ranges = contexts.flatMap(({ jobs }) => jobs).map(({ first, pixels }) => [first, pixels] as const);
    expect(ranges.reduce((at, [first, pixels]) => (first === at ? at + pixels : Number.NaN), 0)).toBe(1000);
    await engine.close();
  });
});

describe("two devices", () => {
  it("take as long as the longer one, and add their progress up", async () => {
    const { engine, contexts } = await open(2);
    contexts[1]!.jobs.length = 41;
    contexts[1]!.before = () => sleep(150);
    const seen: number[] = [];
    const h = await engine.histogram(random, { onProgress: ({ done }) => seen.push(done) });
    expect(h.timings?.kernelMs).toBe(42);
    expect(seen).toContain(contexts[0]!.jobs[0]!.pixels);
    expect(seen.at(-1)).toBe(random.length);
    await engine.close();
  });

  it("all stop when the signal aborts, and count afterwards", async () => {
    const { engine, contexts } = await open(2);
    for (const context of contexts) context.before = untilStopped;
    const controller = new AbortController();
    const running = engine.histogram(random, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 5);
    await expect(running).rejects.toBe("enough");
    for (const context of contexts) context.before = async () => {};
    expect([...(await engine.histogram(random)).counts]).toEqual(cells(random));
    await engine.close();
  });

  it("stop each other when one fails, whose error it is", async () => {
    const { engine, contexts } = await open(2);
    contexts[0]!.before = untilStopped;
    contexts[1]!.before = async () => {
      throw failure("ERR_OUT_OF_MEMORY", "no memory");
    };
    for (const work of [() => engine.histogram(random), () => engine.upload(random)]) {
      await expect(work()).rejects.toMatchObject({
        code: "ERR_OUT_OF_MEMORY",
        message: "no memory",
        backend: "cuda",
      });
    }
    await engine.close();
  });

  it("free the part of an upload that succeeded where another failed", async () => {
    const { engine, contexts } = await open(2);
    contexts[1]!.before = async () => {
      await sleep(5);
      throw failure("ERR_OUT_OF_MEMORY", "no memory");
    };
    await expect(engine.upload(random)).rejects.toMatchObject({ code: "ERR_OUT_OF_MEMORY" });
    expect(contexts[0]!.jobs).toHaveLength(1);
    expect(contexts[0]!.residents.size).toBe(0);
    await engine.close();
  });
});

describe("memory", () => {
  it("that is transferred while it is counted gives an error, not counts of something else", async () => {
    const { engine, contexts } = await open(1);
    const bytes = new Uint8Array(1000);
    contexts[0]!.before = async () => void bytes.buffer.transfer(10);
    await expect(engine.histogram(bytes)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: "expected memory behind the samples but it was transferred meanwhile",
    });
    await engine.close();
  });

  it("of a resident that was forgotten is freed", async () => {
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const { engine, contexts } = await open(2);
    await engine.upload(random);
    expect(contexts.map(({ residents }) => residents.size)).toEqual([1, 1]);
    await vi.waitFor(() => {
      collect();
      expect(contexts.map(({ residents }) => residents.size)).toEqual([0, 0]);
    });
    const axis = regular(4, 0, 256);
    expect((await engine.histogram(random, { axis })).counts.reduce((a, b) => a + b)).toBe(random.length);
    await engine.close();
  });
});
