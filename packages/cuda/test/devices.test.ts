import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Backend,
  cpu,
  type Engine,
  fileSamples,
  openEngine,
  regular,
  type WeightedSlug,
} from "@polybin/core";
import { algorithms, type DeviceLimits, samples, type ValueType, weightedPlan } from "@polybin/core/backend";
import { afterAll, describe, expect, it, vi } from "vitest";
import type {
  Context,
  NativeControl,
  NativeJob,
  NativePrepared,
  NativeReady,
  NativeShape,
  NativeSource,
  NativeSumsJob,
  NativeTotal,
} from "../src/border/index.ts";
import { CudaDevice } from "../src/device.ts";
import { sumsAlgorithms } from "../src/kernels/index.ts";
import { splitFeatures } from "../src/memory/index.ts";
import { featuresPerLaunch, refusesSums } from "../src/run/index.ts";
import { type FakeTable, fakeSums } from "./fake-sums.ts";
import { planNumbers } from "./unpacked.ts";

// Tests of several devices, on contexts that count bytes in JavaScript. They need no GPU.

/** A call's source, with or without a control that can stop it. */
type Call = Pick<NativeJob, "source" | "control">;

function unstopped(): NativeControl {
  return { stop: new Int32Array(1), done: new BigInt64Array(1) };
}

class FakeContext implements Context {
  readonly residents = new Map<number, Uint8Array>();
  readonly tables = new Map<number, FakeTable>();
  readonly jobs: NativeSource[] = [];
  readonly sumsJobs: NativeSumsJob[] = [];
  /** The number of pixels that were counted at once. */
  readonly launched: number[] = [];
  closed = false;
  /** The action of the next call before it finishes. */
  before: (control: NativeControl) => Promise<void> = async () => {};
  #next = 1;

  async upload(call: Call): Promise<number> {
    const bytes = this.#bytes(call.source);
    await this.#work(call);
    this.residents.set(this.#next, bytes);
    return this.#next++;
  }

  async free(id: number): Promise<void> {
    this.residents.delete(id);
    this.tables.delete(id);
  }

  prepare(shape: NativeShape): NativePrepared {
    return shape as never;
  }

  async count(call: Call, prepared: NativePrepared, total?: NativeTotal) {
    await this.#work(call);
    const counts = this.#counts(prepared, this.#bytes(call.source));
    counts.forEach((count, i) => {
      if (total !== undefined) (total as unknown as Float64Array)[i]! += count;
    });
    return { counts, kernelMs: this.jobs.length, uploadMs: 1 };
  }

  async joint(): Promise<never> {
    throw new Error("several columns are tested with the addon");
  }

  async segments(): Promise<never> {
    throw new Error("segments are tested with the addon");
  }

  async readRows(): Promise<never> {
    throw new Error("segments are tested with the addon");
  }

  async download({ into, ...call }: Parameters<Context["download"]>[0]): Promise<void> {
    await this.#work(call);
    into.set(this.#bytes(call.source));
  }

  async launch(
    prepared: NativePrepared,
    of: NativeReady | readonly NativeReady[],
    pixels: number | readonly number[],
    total?: NativeTotal,
  ): Promise<Float64Array> {
    const inputs = Array.isArray(of) ? of : [of];
    const found = inputs.map((one: NativeReady, i) => {
      const many = [pixels].flat()[i]!;
      const bytes = typeof one === "number" ? this.residents.get(one)! : one;
      this.launched.push(many);
      return this.#counts(prepared, bytes.subarray(0, many));
    });
    const sums = total as unknown as Float64Array | undefined;
    if (sums === undefined) return Float64Array.from(found.flatMap((counts) => [...counts]));
    for (const counts of found) for (const [i, count] of counts.entries()) sums[i]! += count;
    return new Float64Array(0);
  }

  countNow(prepared: NativePrepared, of: NativeReady, pixels: number, into: Float64Array): void {
    const bytes = typeof of === "number" ? this.residents.get(of)! : of;
    this.launched.push(pixels);
    into.set(this.#counts(prepared, bytes.subarray(0, pixels)));
  }

  look(): boolean {
    return false;
  }

  countSource(prepared: NativePrepared, { source }: { source: NativeSource }, into: Float64Array) {
    into.set(this.#counts(prepared, this.#bytes(source)));
    return { kernelMs: 1, uploadMs: 1 };
  }

  total(prepared: NativePrepared): NativeTotal {
    return this.#counts(prepared, []) as never;
  }

  async take(total: NativeTotal): Promise<Float64Array> {
    const sums = total as unknown as Float64Array;
    const taken = sums.slice();
    sums.fill(0);
    return taken;
  }

  async freeTotal(): Promise<void> {}

  #counts(prepared: NativePrepared, bytes: Iterable<number>): Float64Array {
    const { plan } = prepared as unknown as NativeShape;
    const counts = new Float64Array(planNumbers(plan).cells + 3);
    for (const byte of bytes) counts[byte]! += 1;
    return counts;
  }

  async extent(call: Call) {
    await this.#work(call);
    const keys = [...this.#bytes(call.source)];
    return { min: BigInt(Math.min(255, ...keys)), max: BigInt(Math.max(0, ...keys)) };
  }

  async uploadTable({ bytes, rowBytes, control }: FakeTable & Pick<Call, "control">): Promise<number> {
    await this.#begin(control);
    this.tables.set(this.#next, { bytes: bytes.slice(), rowBytes });
    return this.#next++;
  }

  async sums(job: NativeSumsJob) {
    this.sumsJobs.push(job);
    const { done } = await this.#begin(job.control);
    for (const { rows } of job.launches) Atomics.add(done, 0, BigInt(rows.length * job.documents));
    return fakeSums(this.tables.get(job.table)!, job);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.residents.clear();
  }

  async #work({ source, control }: Call): Promise<void> {
    this.jobs.push(source);
    const { done } = await this.#begin(control);
    Atomics.add(done, 0, BigInt(source.pixels));
  }

  async #begin(given: Call["control"]): Promise<NativeControl> {
    const control = given ?? unstopped();
    await this.before(control);
    if (Atomics.load(control.stop, 0) !== 0) throw failure("ERR_STOPPED", "stopped");
    return control;
  }

  #bytes({ bytes, resident, first, pixels, width, rowPitch, fd }: NativeSource): Uint8Array {
    if (fd != null) return new Uint8Array(pixels).fill(7);
    if (resident != null) return this.residents.get(resident)!.subarray(first, first + pixels);
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
    algorithms: [algorithms["per-lane"]],
    weighted: sumsAlgorithms,
    probe: async () => ({ available: true, device: "fake" }),
    open: async () => new CudaDevice("fake", limits, contexts),
  };
  return { engine: await openEngine({ backend }), contexts };
}

const SUMS = sumsAlgorithms.map(({ slug }) => slug as WeightedSlug);

/** Waits until the call is stopped, like a long count. */
async function untilStopped({ stop }: NativeControl): Promise<void> {
  while (Atomics.load(stop, 0) === 0) await sleep(1);
}

const folder = mkdtempSync(join(tmpdir(), "polybin-devices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = Uint8Array.from({ length: 10_007 }, (_, i) => (i * i + (i >> 3)) & 255);
/** More than is counted at once. */
const long = Uint8Array.from({ length: 100_003 }, (_, i) => (i * i + (i >> 3)) & 255);
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

  it("each read their own range of a file", async () => {
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
  it("give samples back in their order, whichever of them had its part first", async () => {
    const contexts = [new FakeContext(), new FakeContext()];
    const device = new CudaDevice("two", limits, contexts);
    contexts[0]!.before = () => sleep(20);
    const resident = await device.upload(samples(long), {});
    contexts[0]!.before = async () => {};
    const found = await device.download({ kind: "resident", resident }, {});
    expect(found).toMatchObject({ type: "u8", channels: 1, pixels: long.length, dense: true });
    expect(found.bytes).toEqual(long);
    for (const context of contexts) context.before = untilStopped;
    const controller = new AbortController();
    const running = device.download({ kind: "resident", resident }, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 5);
    await expect(running).rejects.toBe("enough");
    await resident.free();
    await expect(device.download({ kind: "resident", resident }, {})).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: "expected resident samples but they were freed",
    });
    await device.close();
  });

  it("take as long as the slower one, and add up their progress", async () => {
    const { engine, contexts } = await open(2);
    contexts[1]!.jobs.length = 41;
    contexts[1]!.before = () => sleep(150);
    const seen: number[] = [];
    const h = await engine.histogram(long, {
      timings: true,
      onProgress: ({ done }) => seen.push(done),
    });
    expect(h.timings?.kernelMs).toBe(42);
    expect(seen).toContain(contexts[0]!.jobs[0]!.pixels);
    expect(seen.at(-1)).toBe(long.length);
    await engine.close();
  });

  it("all stop when the signal aborts, and count afterwards", async () => {
    const { engine, contexts } = await open(2);
    for (const context of contexts) context.before = untilStopped;
    const controller = new AbortController();
    const running = engine.histogram(long, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 5);
    await expect(running).rejects.toBe("enough");
    for (const context of contexts) context.before = async () => {};
    expect([...(await engine.histogram(long)).counts]).toEqual(cells(long));
    await engine.close();
  });

  it("stop each other when one fails, and report its error", async () => {
    const { engine, contexts } = await open(2);
    contexts[0]!.before = untilStopped;
    contexts[1]!.before = async () => {
      throw failure("ERR_OUT_OF_MEMORY", "no memory");
    };
    for (const work of [() => engine.histogram(long), () => engine.upload(long)]) {
      await expect(work()).rejects.toMatchObject({
        code: "ERR_OUT_OF_MEMORY",
        message: "no memory",
        backend: "cuda",
      });
    }
    await engine.close();
  });

  it("free the part of an upload that succeeded if another failed", async () => {
    const { engine, contexts } = await open(2);
    contexts[1]!.before = async () => {
      await sleep(5);
      throw failure("ERR_OUT_OF_MEMORY", "no memory");
    };
    await expect(engine.upload(long)).rejects.toMatchObject({ code: "ERR_OUT_OF_MEMORY" });
    expect(contexts[0]!.jobs).toHaveLength(1);
    expect(contexts[0]!.residents.size).toBe(0);
    await engine.close();
  });
});

describe("a feature table", () => {
  const features = 5;
  const documents = 301;
  const bins = [16, 3, 16, 9, 2];
  const weights = Float32Array.from({ length: documents }, (_, i) => Math.sin(i * 1.7) * (1 + (i % 7)));
  const list = Uint32Array.from({ length: 100 }, (_, i) => 3 * i + (i & 1));
  const tableOf = (type: ValueType) => {
    const valueAt = (feature: number, document: number) =>
      (document * (feature + 3) + (document >> 3)) % bins[feature]!;
    if (type === "u4") {
      const row = Math.ceil(documents / 2);
      const values = new Uint8Array(features * row);
      for (let f = 0; f < features; f++) {
        for (let i = 0; i < documents; i++) values[f * row + (i >> 1)]! |= valueAt(f, i) << ((i & 1) * 4);
      }
      return { values, type, features, documents, bins };
    }
    const values = new (type === "u8" ? Uint8Array : Uint16Array)(features * documents);
    for (let at = 0; at < values.length; at++) {
      values[at] = valueAt(Math.floor(at / documents), at % documents);
    }
    return { values, type, features, documents, bins };
  };

  it.each([1, 2, 3, 8])(
    "on %i devices has the sums of core's own, whatever is asked for",
    async (devices) => {
      const { engine, contexts } = await open(devices);
      await using host = await openEngine({ backend: cpu() });
      for (const type of ["u4", "u8", "u16"] as const) {
        const table = await engine.table(tableOf(type));
        const own = await host.table(tableOf(type));
        for (const options of [
          {},
          { squares: true },
          { documents: list },
          { skip: true },
          { skip: true, squares: true, documents: list },
          { features: [4, 0, 2] },
        ]) {
          const found = await table.sums(weights, options);
          const expected = await own.sums(weights, { ...options, algorithm: "weighted-sequential" });
          expect(found.counts).toEqual(expected.counts);
          expect(found.sums).toEqual(expected.sums);
          expect(found.sumsOfSquares).toEqual(expected.sumsOfSquares);
          expect(found.plans.every(({ algorithm }) => algorithm === "weighted-fixed-point")).toBe(true);
        }
        await table.free();
        expect(contexts.every(({ tables }) => tables.size === 0)).toBe(true);
      }
      await engine.close();
    },
  );

  it("refuses plans without a kernel, with a reason", async () => {
    const { engine } = await open(1);
    const table = await engine.table(tableOf("u8"));
    await expect(table.sums(weights, { algorithm: "weighted-sequential" })).rejects.toMatchObject({
      code: "ERR_UNSUPPORTED",
      message: `cuda has no kernel for weighted-sequential; it has ${SUMS.join(", ")}`,
    });
    await expect(
      table.sums(weights, { algorithm: "weighted-fixed-point", precision: "fast" }),
    ).rejects.toMatchObject({ code: "ERR_UNSUPPORTED" });
    await engine.close();
  });

  it.each(SUMS)("is added up by %s on two devices, with or without counts", async (algorithm) => {
    const { engine } = await open(2);
    await using host = await openEngine({ backend: cpu() });
    const table = await engine.table(tableOf("u16"));
    const own = await host.table(tableOf("u16"));
    for (const options of [{ counts: false, squares: true }, { documents: list }, { skip: true }]) {
      const found = await table.sums(weights, { ...options, algorithm });
      const expected = await own.sums(weights, { ...options, algorithm: "weighted-sequential" });
      expect(found.counts).toEqual(expected.counts);
      expect(found.sums).toEqual(expected.sums);
      expect(found.sumsOfSquares).toEqual(expected.sumsOfSquares);
    }
    await engine.close();
  });

  it("is timed with many features per launch, for the hybrid", async () => {
    const { engine, contexts } = await open(1);
    const values = new Uint16Array(3 * documents).map((_, i) => i % 200);
    const table = await engine.table({ values, features: 3, documents, bins: [200, 300, 200] });
    await table.sums(weights, { algorithm: "weighted-hybrid" });
    await table.sums(weights, { algorithm: "weighted-hybrid", features: [2, 1] });
    const jobs = contexts[0]!.sumsJobs.map(({ timed, launches }) => [
      timed,
      launches.map(({ rows }) => rows.length),
    ]);
    // Three methods, two rounds. The features with the same number of bins run together.
    expect(jobs.filter(([timed]) => timed)).toEqual(Array.from({ length: 6 }, () => [true, [2, 1]]));
    expect(jobs.at(-1)![0]).toBe(false);
    // The fake context reports i + 1 milliseconds for each feature of launch i.
    expect(table.choices.map(({ ms }) => Object.values(ms))).toEqual([
      [1, 1, 1],
      [2, 2, 2],
      [1, 1, 1],
    ]);
    await engine.close();
  });

  it("stops on every device when the signal aborts, and frees what another device has when one fails", async () => {
    const { engine, contexts } = await open(2);
    const table = await engine.table(tableOf("u8"));
    for (const context of contexts) context.before = untilStopped;
    const controller = new AbortController();
    const running = table.sums(weights, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 5);
    await expect(running).rejects.toBe("enough");
    contexts[0]!.before = async () => {};
    contexts[1]!.before = async () => {
      await sleep(5);
      throw failure("ERR_OUT_OF_MEMORY", "no memory");
    };
    await expect(engine.table(tableOf("u8"))).rejects.toMatchObject({ code: "ERR_OUT_OF_MEMORY" });
    expect(contexts.map(({ tables }) => tables.size)).toEqual([1, 1]);
    await engine.close();
  });

  it("is split by features, near-equally, and none is lost", () => {
    expect(splitFeatures(5, 2)).toEqual([
      { device: 0, first: 0, rows: 2 },
      { device: 1, first: 2, rows: 3 },
    ]);
    expect(splitFeatures(1, 8)).toEqual([{ device: 7, first: 0, rows: 1 }]);
    expect(splitFeatures(1024, 3).reduce((sum, { rows }) => sum + rows, 0)).toBe(1024);
  });

  it("is added up in launches of a millisecond that fill the device", () => {
    const of = { passes: 1, subHistogramBytes: 0 };
    expect(featuresPerLaunch({ ...of, featuresPerBlock: 2, segments: 1 }, 2 ** 20)).toBe(2048);
    expect(featuresPerLaunch({ ...of, featuresPerBlock: 2, segments: 1 }, 2 ** 32 - 1)).toBe(1024);
    expect(featuresPerLaunch({ ...of, featuresPerBlock: 1, segments: 600 }, 2 ** 32 - 1)).toBe(1);
  });

  it("is added up in launches whose sub-histograms fit their memory", () => {
    const features = (segments: number, passes: number, subHistogramBytes: number) =>
      featuresPerLaunch({ featuresPerBlock: 1, segments, passes, subHistogramBytes }, 2 ** 17);
    expect(features(69, 1, 12_288)).toBe(Math.floor(2 ** 28 / (69 * 12_288)));
    expect(features(69, 2, 12_288)).toBe(Math.floor(2 ** 28 / (69 * 2 * 12_288)));
    expect(features(65_535, 1, 4096)).toBe(1);
  });

  it.each([65_536, 101_376, 166_912, 232_448])(
    "has kernels for every plan with %i shared bytes",
    (sharedBytes) => {
      for (const type of ["u4", "u8", "u16"] as const) {
        for (const of of [2, 16, 100, 256, 512, 513, 1024, 65_536]) {
          if (of > { u4: 16, u8: 256, u16: 65_536 }[type]) continue;
          for (const [counts, squares] of [
            [true, false],
            [true, true],
            [false, false],
            [false, true],
          ] as const) {
            for (const count of [1, 1024]) {
              const plan = weightedPlan(
                "weighted-fixed-point",
                {
                  type,
                  bins: of,
                  features: count,
                  documents: 2 ** 20,
                  precision: "reproducible",
                  counts,
                  squares,
                },
                { ...limits, sharedBytes },
              );
              expect(refusesSums(plan)).toBeNull();
              const bits = (counts ? plan.counterBits : 0) + plan.sumBits * (squares ? 2 : 1);
              const tables = plan.featuresPerBlock * plan.binsPerPass * plan.replicas;
              expect(plan.sharedBytes).toBe((tables * bits) / 8);
              expect(Math.log2(plan.replicas) % 1).toBe(0);
            }
          }
        }
      }
    },
  );
});

describe("memory", () => {
  it("that is transferred during a count gives an error instead of wrong counts", async () => {
    const { engine, contexts } = await open(1);
    const bytes = new Uint8Array(100_000);
    contexts[0]!.before = async () => void bytes.buffer.transfer(10);
    await expect(engine.histogram(bytes)).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: "expected the samples' memory to stay valid but it was transferred during the call",
    });
    await engine.close();
  });

  it("of a resident that is no longer referenced is freed", async () => {
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
