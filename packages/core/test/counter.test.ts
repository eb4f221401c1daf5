import { describe, expect, it, onTestFinished } from "vitest";
import { integer, regular, variable } from "../src/axis/axis.ts";
import type { ChannelsPart as Counted } from "../src/backend/index.ts";
import { PolybinError } from "../src/base/errors.ts";
import type { Counter } from "../src/engine/counter/counter.ts";
import { openEngine } from "../src/engine/open.ts";
import { fileSamples } from "../src/input/file.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import type { Histogram } from "../src/result/histogram.ts";
import { arrayOf, errorOf, type Fake, FakeBackend, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

const data = Uint8Array.of(1, 2, 2, 255);

async function open(fake: Fake = {}) {
  const backend = new FakeBackend(fake);
  return { backend, engine: await openEngine({ backend }) };
}

/** What a result says of its samples. */
function numbers({ counts, underflow, overflow, nan }: Histogram) {
  return { counts: [...counts], underflow, overflow, nan };
}

const ways: Record<string, (counter: Counter, input: Anything) => Promise<Histogram>> = {
  count: (counter, input) => counter.count(input),
  countSync: async (counter, input) => counter.countSync(input),
  countAll: async (counter, input) => (await counter.countAll([input]))[0]!,
  accumulate: async (counter, input) => {
    await counter.accumulate(input);
    return counter.take();
  },
};

describe.each(Object.entries(ways))("a counter's %s", (name, count) => {
  it("returns the same as histogram for every type and size, and for residents", async () => {
    await using engine = await openEngine();
    for (const type of ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"] as const) {
      for (const axis of [regular(7, -3, 90), variable([0, 1, 5, 70]), integer(-2, 60)]) {
        await using counter = await engine.prepare({ type, axis });
        for (const n of [0, 1, 3, 1023, 1024, 1027, 70_001]) {
          const samples = arrayOf(
            type,
            Array.from({ length: n }, (_, i) => (i * 7) % 101),
          );
          const found = await count(counter, samples);
          expect(numbers(found)).toEqual(numbers(await engine.histogram(samples, { axis })));
          expect(found).toMatchObject({ type, axis, backend: "cpu", algorithm: "sequential", timings: null });
        }
        const values = type === "f64" ? [1, Number.NaN, 3] : [1, 2, 3];
        await using resident = await engine.upload(arrayOf(type, values));
        expect((await count(counter, resident)).sum({ flow: true })).toBe(3);
      }
    }
  });

  it("reports timings if they were requested", async () => {
    await using engine = await openEngine();
    await using counter = await engine.prepare({ timings: true });
    const { timings } = await count(counter, new Uint8Array(100_000));
    expect(timings!.kernelMs).toBeGreaterThan(0);
    expect(timings!.totalMs).toBeGreaterThanOrEqual(timings!.kernelMs);
  });

  it.each<[string, unknown, string]>([
    ["another type", Uint16Array.of(1), "for type"],
    ["numbers, which are f64", [1, 2], "for type"],
    ["another number of channels", { data, channels: 2 }, "for interleaved"],
    ["a stream", new Blob([data]), "engine.histogram counts streams and files"],
    ["a file", fileSamples({ path: "x", bytes: 4 }), "engine.histogram counts streams and files"],
    ["no samples", "abc", "for samples"],
    ["half a pixel", { data: new Uint8Array(3), type: "u16" }, "whole number of u16"],
  ])("refuses %s, and can still count", async (_, wrong, message) => {
    await using engine = await openEngine();
    await using counter = await engine.prepare();
    const error = await rejectionOf(count(counter, wrong));
    expect(error).toMatchObject({ code: "ERR_INPUT", backend: "cpu" });
    expect(error.message).toContain(message);
    expect((await count(counter, data)).sum()).toBe(4);
  });

  it("refuses calls after free, and after the engine's close", async () => {
    const engine = await openEngine();
    const counters = [await engine.prepare(), await engine.prepare()];
    await counters[0]!.free();
    await counters[0]!.free();
    expect(await rejectionOf(count(counters[0]!, data))).toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("freed"),
    });
    await engine.close();
    for (const counter of counters) {
      expect(await rejectionOf(count(counter, data))).toMatchObject({
        code: "ERR_UNAVAILABLE",
        backend: "cpu",
      });
    }
  });

  it("rejects instead of throwing, unless it is synchronous", async () => {
    await using engine = await openEngine();
    const counter: Anything = await engine.prepare();
    if (name === "countSync") expect(errorOf(() => counter.countSync("x")).code).toBe("ERR_INPUT");
    else {
      const call = name === "countAll" ? counter.countAll("x") : counter[name]("x");
      await expect(call).rejects.toMatchObject({ code: "ERR_INPUT" });
    }
  });
});

describe("preparing", () => {
  it("accepts channels and counts each separately", async () => {
    await using engine = await openEngine();
    const pixels = { data: Uint8Array.of(0, 10, 20, 1, 11, 21), channels: 3 };
    const some = await engine.prepare({ interleaved: 3, channels: [2, 0] });
    for (const all of [
      some.countSync(pixels),
      await some.count(pixels),
      (await some.countAll([pixels]))[0]!,
    ]) {
      expect(all.map((h) => h.counts.indexOf(1))).toEqual([20, 0]);
    }
    await some.accumulate(pixels);
    expect((await some.take()).map((h) => h.counts.indexOf(1))).toEqual([20, 0]);
    const one = await engine.prepare({ interleaved: 3, channel: 1 });
    expect(one.countSync(pixels).counts.indexOf(1)).toBe(10);
  });

  it.each<[Anything, string, string]>([
    [null, "ERR_INPUT", "an object for options"],
    [{ axes: 1 }, "ERR_INPUT", "did you mean axis?"],
    [{ signal: undefined }, "ERR_INPUT", "received signal"],
    [{ type: "u7" }, "ERR_INPUT", "one of u8"],
    [{ type: "f32" }, "ERR_AXIS", "a counter needs its axis before it reads samples"],
    [{ type: "u32", bins: 7 }, "ERR_AXIS", 'or range: "type"'],
    [{ type: "f32", range: "data" }, "ERR_AXIS", "a counter of f32"],
    [{ range: "data" }, "ERR_AXIS", "a counter of u8"],
    [{ interleaved: 5 }, "ERR_INPUT", "for interleaved"],
    [{ interleaved: 3 }, "ERR_INPUT", "choose a channel"],
    [{ interleaved: 3, channel: 3 }, "ERR_INPUT", "from 0 to 2"],
    [{ interleaved: 3, channels: [] }, "ERR_INPUT", "at least one"],
    [{ interleaved: 3, channels: 3 }, "ERR_INPUT", "an array of channels"],
    [{ channel: 0, channels: [0] }, "ERR_INPUT", "either channel or channels"],
    [{ timings: 1 }, "ERR_INPUT", "for timings"],
    [{ algorithm: "fastest" }, "ERR_UNSUPPORTED", "fastest"],
    [{ algorithm: "per-thread-64", bins: 256 }, "ERR_UNSUPPORTED", "per-thread-64 counts at most 64 bins"],
    [{ algorithm: "global", k: 4 }, "ERR_INPUT", "no k for global"],
    [{ axis: integer(0, 2), bins: 2 }, "ERR_INPUT", "either axis or bins"],
  ])("refuses %#", async (options, code, message) => {
    const { engine, backend } = await open();
    const error = await rejectionOf(engine.prepare(options));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message), backend: "fake" });
    expect(backend.prepared).toEqual([]);
    await engine.close();
    expect(await rejectionOf(engine.prepare())).toMatchObject({ code: "ERR_UNAVAILABLE" });
  });

  it("keeps its own channels and edges, and shares jobs with other calls", async () => {
    const { engine, backend } = await open();
    const channels = [1, 0];
    const edges = [0, 3, 9];
    const axis = { type: "variable", bins: 2, edges } as const;
    const counter = await engine.prepare({ interleaved: 2, channels, axis });
    channels[0] = 0;
    edges[1] = 4;
    const [first] = await counter.count({ data, channels: 2 });
    expect(backend.jobs[0]).toMatchObject({ channels: [1, 0], axis: { edges: [0, 3, 9] } });
    expect(first!.axis).toEqual(variable([0, 3, 9]));
    const before = backend.prepared.length;
    for (let i = 0; i < 3; i++) await counter.count({ data, channels: 2 });
    expect(backend.prepared).toHaveLength(before);
    await engine.close();
  });

  it("makes the device prepare before there are samples, and counts nothing", async () => {
    const { engine, backend } = await open();
    await engine.prepare({ type: "f32", axis: regular(4, 0, 1) });
    expect(backend.prepared).toMatchObject([{ type: "f32", plan: { samples: Number.MAX_SAFE_INTEGER } }]);
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });
});

describe("countSync", () => {
  it("is refused with a sentence if the device does not have it", async () => {
    const { engine } = await open();
    const counter = await engine.prepare();
    const error = errorOf(() => counter.countSync(data));
    expect(error).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake", algorithm: "per-lane" });
    expect(error.message).toContain("cannot count synchronously");
    expect(counter.countSync(new Uint8Array(0)).sum()).toBe(0);
    await engine.close();
  });

  it("is how count handles small inputs, without taking a turn", async () => {
    const here: number[] = [];
    const { engine, backend } = await open({
      syncBytes: 4,
      callsAtOnce: 1,
      count: () => new Promise(() => {}),
      more: (_, honest) => ({
        countSync: (input) => {
          here.push(input.kind === "samples" ? input.samples.pixels : -1);
          return honest(input);
        },
      }),
    });
    const counter = await engine.prepare();
    void counter.count(new Uint8Array(5));
    for (const found of [
      await counter.count(data),
      await engine.histogram(data),
      await counter.count(data.subarray(0, 2)),
    ]) {
      expect(found.sum()).toBeGreaterThan(1);
    }
    const seen: unknown[] = [];
    const told = engine.histogram(data, { onProgress: (progress) => seen.push(progress) });
    await counter.accumulate(data);
    expect((await counter.take()).sum()).toBe(4);
    expect(here).toEqual([4, 4, 2, 4]);
    expect(backend.record).toEqual(["open"]);
    void told.catch(() => {});
  });

  it("returns no result if the device miscounts", async () => {
    const { engine } = await open({
      more: (_, honest) => ({
        countSync: (input) => {
          const part = honest(input);
          part.channels[0]!.cells[0]! += 1;
          return part;
        },
      }),
    });
    const counter = await engine.prepare();
    expect(errorOf(() => counter.countSync(data))).toMatchObject({ code: "ERR_MISCOUNT", backend: "fake" });
    await engine.close();
  });
});

describe("countAll", () => {
  /** A device that counts many at once. */
  const batching = (calls: number[], change: (parts: Counted[]) => Counted[] = (parts) => parts): Fake => ({
    more: (_, honest) => ({
      countAll: async (inputs) => {
        calls.push(inputs.length);
        return change(inputs.map(honest));
      },
    }),
  });

  it("passes all inputs of a job to the device together, and keeps their order", async () => {
    const calls: number[] = [];
    const { engine, backend } = await open(batching(calls));
    const counter = await engine.prepare();
    const sizes = [3, 0, 5, 3, 5, 3];
    const all = await counter.countAll(sizes.map((size, i) => new Uint8Array(size).fill(i)));
    expect(all.map((h, i) => h.counts[i])).toEqual(sizes);
    expect(calls.sort()).toEqual([2, 3]);
    expect(backend.record).toEqual(["open"]);
    expect(await counter.countAll([])).toEqual([]);
    await engine.close();
  });

  it("counts each input separately if the device has no batches, as many at a time as the device accepts", async () => {
    let [now, most] = [0, 0];
    const { engine } = await open({
      callsAtOnce: 3,
      async counted(honest) {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
        return honest;
      },
    });
    const counter = await engine.prepare();
    const all = await counter.countAll(Array.from({ length: 20 }, (_, i) => new Uint8Array(i + 1)));
    expect(all.map((h) => h.sum())).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(most).toBe(3);
    await engine.close();
  });

  it("returns nothing if one input fails, and stops the others", async () => {
    let running = 0;
    const lost = new PolybinError("ERR_DEVICE_LOST", "unplugged", { backend: "fake" });
    const { engine } = await open({
      count: ({ input }, { signal }) => {
        if (input.kind === "samples" && input.samples.pixels === 3) return Promise.reject(lost);
        running++;
        return new Promise((_, reject) => {
          signal!.addEventListener("abort", () => {
            setTimeout(() => {
              running--;
              reject(signal!.reason);
            });
          });
        });
      },
    });
    const counter = await engine.prepare();
    await expect(counter.countAll([data, new Uint8Array(3), data])).rejects.toBe(lost);
    expect(running).toBe(0);
    await expect(counter.countAll([data, Uint16Array.of(1)] as Anything)).rejects.toMatchObject({
      code: "ERR_INPUT",
    });
    expect(running).toBe(0);
    await engine.close();
  });

  it.each<[string, (parts: Counted[]) => Counted[]]>([
    ["one fewer", (parts) => parts.slice(1)],
    ["one that is wrong", ([first, ...rest]) => [{ ...first!, channels: [] }, ...rest]],
  ])("returns nothing if the device returns %s", async (_, change) => {
    const { engine } = await open(batching([], change));
    const counter = await engine.prepare();
    expect(await rejectionOf(counter.countAll([data, data]))).toMatchObject({
      code: "ERR_MISCOUNT",
      backend: "fake",
    });
    await engine.close();
  });

  it("yields the thread to others from time to time", async () => {
    await using engine = await openEngine();
    const counter = await engine.prepare({ algorithm: "trish" });
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"), 0);
    const inputs = Array.from({ length: 2000 }, () => new Uint8Array(65_536));
    await expect(counter.countAll(inputs, { signal: controller.signal })).rejects.toBe("enough");
  });
});

describe("signals", () => {
  it("stop a call before it starts, and while it runs", async () => {
    const controller = new AbortController();
    const { engine } = await open({
      counted(honest) {
        controller.abort("enough");
        return honest;
      },
    });
    const counter = await engine.prepare();
    const aborted = { signal: AbortSignal.abort("before") };
    for (const call of [
      counter.count(data, aborted),
      counter.countAll([data], aborted),
      counter.accumulate(data, aborted),
      counter.take(aborted),
    ]) {
      await expect(call).rejects.toBe("before");
    }
    await expect(counter.count(data, { signal: controller.signal })).rejects.toBe("enough");
    for (const wrong of [{ signal: {} }, { signals: controller.signal }] as Anything[]) {
      expect(await rejectionOf(counter.count(data, wrong))).toMatchObject({ code: "ERR_INPUT" });
      expect(await rejectionOf(counter.take(wrong))).toMatchObject({ code: "ERR_INPUT" });
    }
    expect((await counter.take()).sum()).toBe(0);
    await engine.close();
  });

  it("progress is reported, and an error in onProgress stops the call", async () => {
    await using engine = await openEngine();
    const counter = await engine.prepare();
    const seen: unknown[] = [];
    await counter.count(data, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ done: 4, total: 4 });
    const mistake = new Error("a mistake of the caller");
    const onProgress = () => {
      throw mistake;
    };
    await expect(counter.count(data, { onProgress })).rejects.toBe(mistake);
    expect(await rejectionOf(counter.count(data, { onProgress: 5 as Anything }))).toMatchObject({
      code: "ERR_INPUT",
    });
  });
});

describe("close", () => {
  it("waits for pending calls of counters", async () => {
    const gate = Promise.withResolvers<void>();
    const { engine, backend } = await open({
      async counted(honest) {
        await gate.promise;
        return honest;
      },
    });
    const counter = await engine.prepare();
    const calls = [counter.count(data), counter.countAll([data, data]), counter.accumulate(data)];
    const closing = engine.close();
    let isClosed = false;
    void closing.then(() => {
      isClosed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    gate.resolve();
    await Promise.all(calls);
    await closing;
    expect(backend.record.at(-1)).toBe("close");
  });
});

describe("allocate", () => {
  it("returns zeroed bytes of the device's memory, or ordinary memory", async () => {
    const { engine } = await open();
    const plain = engine.allocate(5);
    expect(plain).toEqual(new Uint8Array(5));
    expect(plain.buffer).toBeInstanceOf(ArrayBuffer);
    plain.set([1, 2, 3, 4, 5]);
    expect((await engine.histogram(plain)).sum()).toBe(5);
    expect(engine.allocate(0)).toHaveLength(0);
    const own = await open({ allocate: (bytes) => new SharedArrayBuffer(bytes) });
    expect(own.engine.allocate(5)).toHaveLength(5);
    expect(own.engine.allocate(5).buffer).toBeInstanceOf(SharedArrayBuffer);
    for (const wrong of [-1, 0.5, Number.NaN, "5", null] as Anything[]) {
      expect(errorOf(() => engine.allocate(wrong))).toMatchObject({ code: "ERR_INPUT", backend: "fake" });
    }
    expect(errorOf(() => engine.allocate(Number.MAX_SAFE_INTEGER))).toMatchObject({
      code: "ERR_OUT_OF_MEMORY",
    });
    expect(() => engine.allocate(5, "u128" as Anything)).toThrow(/expected one of u8, .* for type/);
    expect(() => engine.allocate(2 ** 53 / 8, "f64")).toThrow(/for length/);
    await engine.close();
    expect(errorOf(() => engine.allocate(5))).toMatchObject({ code: "ERR_UNAVAILABLE" });
    await own.engine.close();
  });
});

it("allocate returns an array of the type, and its buffer holds nothing else", async () => {
  await using engine = await openEngine();
  const [f32, i64] = [engine.allocate(1000, "f32"), engine.allocate(3, "i64")];
  const typed: readonly [Float32Array, BigInt64Array, Uint8Array] = [f32, i64, engine.allocate(5)];
  expect(typed.map(({ length }) => length)).toEqual([1000, 3, 5]);
  expect(typed.map(({ buffer }) => buffer.byteLength)).toEqual([4000, 24, 5]);
  expect((await engine.histogram(f32.buffer, { type: "f32", bins: 2, range: [0, 1] })).sum()).toBe(1000);
  const { Float16Array } = globalThis as Anything;
  expect(engine.allocate(2, "f16")).toBeInstanceOf(Float16Array);
  delete (globalThis as Anything).Float16Array;
  onTestFinished(() => void Object.assign(globalThis, { Float16Array }));
  expect(errorOf(() => engine.allocate(2, "f16"))).toMatchObject({
    code: "ERR_UNSUPPORTED",
    message: expect.stringContaining("Float16Array"),
  });
});

it("types describe the result of a call", async () => {
  await using engine = await openEngine();
  const one: Counter = await engine.prepare({ type: "u8" satisfies SampleType });
  const many: Counter<Histogram[]> = await engine.prepare({ channels: [0] });
  expect([one.countSync(data).sum(), many.countSync(data)[0]!.sum()]).toEqual([4, 4]);
});
