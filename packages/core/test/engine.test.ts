import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { SLUGS } from "../src/algorithms/choice/slugs.ts";
import { integer, regular, variable } from "../src/axis/axis.ts";
import type { Backend, ChannelsPart as DevicePartial } from "../src/backend/index.ts";
import { PolybinError } from "../src/base/errors.ts";
import { cpu } from "../src/cpu/cpu.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import type { HistogramOptions } from "../src/engine/options/options.ts";
import { extentOf } from "../src/input/extent.ts";
import { fileSamples } from "../src/input/file.ts";
import { HostResident, samplesOf } from "../src/input/resident.ts";
import { samples } from "../src/input/samples.ts";
import { arrayOf, expectError, type Fake, FakeBackend, gpu, random, rejectionOf } from "./helpers.ts";

async function open(fake: Fake = {}): Promise<{ engine: Engine; backend: FakeBackend }> {
  const backend = new FakeBackend(fake);
  return { backend, engine: await openEngine({ backend }) };
}

const pixels = Uint8Array.of(1, 2, 2, 255);

describe("opening", () => {
  it("opens the first backend that works and lists why others were skipped", async () => {
    const broken: Backend = Object.assign(new FakeBackend({ id: "broken" }), {
      open: () => Promise.reject(new PolybinError("ERR_DEVICE_LOST", "it fell off")),
    });
    const absent = new FakeBackend({ id: "absent", unavailable: "no such card" });
    const good = new FakeBackend({ id: "good" });
    const never = new FakeBackend({ id: "never" });
    await using engine = await openEngine({ backends: [absent, broken, good, never] });
    expect(engine).toMatchObject({ backend: "good", device: "a fake", algorithms: ["global", "per-lane"] });
    expect(engine.skipped).toEqual([
      { backend: "absent", reason: "no such card" },
      { backend: "broken", reason: "it fell off" },
    ]);
    expect(Object.isFrozen(engine.skipped)).toBe(true);
    expect(absent.record).toEqual([]);
    expect(never.record).toEqual([]);
  });

  it("skips a GPU that the CPU emulates, unless fallback is true", async () => {
    const imitated = new FakeBackend({ id: "imitated", software: true });
    const real = new FakeBackend({ id: "real", software: false });
    await using first = await openEngine({ backends: [imitated, real] });
    expect(first.backend).toBe("real");
    expect(first.skipped).toEqual([
      { backend: "imitated", reason: expect.stringContaining("openEngine({ fallback: true })") },
    ]);
    expect(imitated.record).toEqual([]);
    await using last = await openEngine({ backends: [imitated], fallback: false });
    expect(last.backend).toBe("cpu");
    await using taken = await openEngine({ backends: [imitated, real], fallback: true });
    expect(taken).toMatchObject({ backend: "imitated", skipped: [] });
  });

  it("opens a GPU that the CPU emulates if it is named, unless fallback is false", async () => {
    const backend = new FakeBackend({ software: true });
    await using engine = await openEngine({ backend });
    expect(engine.backend).toBe("fake");
    await using same = await openEngine({ backend, fallback: true });
    expect(same.backend).toBe("fake");
    const error = await rejectionOf(openEngine({ backend, fallback: false }));
    expect(error).toMatchObject({ code: "ERR_UNAVAILABLE", backend: "fake" });
    expect(error.message).toContain("a fake is a GPU that the CPU emulates");
  });

  it("falls back to core's CPU last", async () => {
    await using engine = await openEngine({ backends: [new FakeBackend({ unavailable: "gone" })] });
    expect(engine).toMatchObject({ backend: "cpu", device: "1 JavaScript thread", readsFiles: false });
    expect(engine.skipped).toHaveLength(1);
    await using plain = await openEngine();
    expect(plain.backend).toBe("cpu");
    expect(plain.skipped).toEqual([]);
  });

  it("never replaces the named backend", async () => {
    const error = await rejectionOf(
      openEngine({ backend: new FakeBackend({ unavailable: "no such card" }) }),
    );
    expect(error).toMatchObject({ code: "ERR_UNAVAILABLE", message: "no such card", backend: "fake" });
  });

  it("does not skip a backend with invalid options", async () => {
    for (const code of ["ERR_INPUT", "ERR_LIMIT"] as const) {
      const wrong = Object.assign(new FakeBackend(), {
        open: () => Promise.reject(new PolybinError(code, "wrong options")),
      });
      const opening = openEngine({ backends: [wrong, new FakeBackend()] });
      await expect(opening).rejects.toMatchObject({ code, message: "wrong options" });
    }
  });

  it.each(["probe", "open"])("skips a backend of a list whose %s throws, and reports why", async (method) => {
    const cause = new TypeError("oops");
    const faulty = Object.assign(new FakeBackend(), { [method]: () => Promise.reject(cause) });
    const reason = "fake could not be opened (TypeError: oops)";
    await using engine = await openEngine({ backends: [faulty] });
    expect(engine).toMatchObject({ backend: "cpu", skipped: [{ backend: "fake", reason }] });
    const error = await rejectionOf(openEngine({ backend: faulty }));
    expect(error).toMatchObject({ code: "ERR_UNAVAILABLE", backend: "fake", message: reason, cause });
  });

  it.each([
    [{ backend: cpu(), backends: [] }, "either backend or backends"],
    [{ backend: "cuda" }, 'a backend, such as cpu() for backend but received "cuda"'],
    [{ backend: null }, "for backend but received null"],
    [{ backends: cpu() }, "an array of backends for backends"],
    [{ backends: [], fallback: "yes" }, 'true or false for fallback but received "yes"'],
    [{ backends: [cpu(), {}] }, "for backends[1] but received an object of type Object"],
  ])("refuses %#", async (options, message) => {
    const error = await rejectionOf(openEngine(options as never));
    expect(error.code).toBe("ERR_INPUT");
    expect(error.message).toContain(message);
  });
});

describe.each([
  ["cpu", () => cpu()],
  ["a fake", () => new FakeBackend()],
] as const)("histogram on %s", (_, make) => {
  it("counts bytes into 256 bins", async () => {
    await using engine = await openEngine({ backend: make() });
    const h = await engine.histogram(pixels);
    expect(h).toMatchObject({ bins: 256, type: "u8", underflow: 0, overflow: 0, nan: 0 });
    expect(h.axis).toEqual(integer(0, 256));
    expect([h.counts[1], h.counts[2], h.counts[255], h.sum()]).toEqual([1, 2, 1, 4]);
  });

  it("counts every type over its range, and over an axis", async () => {
    await using engine = await openEngine({ backend: make() });
    expect((await engine.histogram(Int8Array.of(-128, 127))).counts.at(-1)).toBe(1);
    const wide = await engine.histogram(Uint16Array.of(0, 255, 256, 65_535));
    expect([wide.counts[0], wide.counts[1], wide.counts[255]]).toEqual([2, 1, 1]);
    expect((await engine.histogram(Uint16Array.of(7), { bins: 65_536 })).axis).toEqual(integer(0, 65_536));
    const i32 = await engine.histogram(Int32Array.of(-(2 ** 31), 2 ** 31 - 1), { bins: 2 });
    expect([...i32.counts]).toEqual([1, 1]);
    const f = await engine.histogram([0, 0.5, 1, 2, -1, Number.NaN, Infinity], { axis: regular(2, 0, 1) });
    expect([...f.counts]).toEqual([1, 2]);
    expect(f).toMatchObject({ underflow: 1, overflow: 2, nan: 1 });
  });

  it("finds the range of floats like NumPy", async () => {
    await using engine = await openEngine({ backend: make() });
    const h = await engine.histogram(Float32Array.of(Number.NaN, 0.1, 0.7, -Infinity), { bins: 7 });
    expect(h.axis).toMatchObject({ spacing: "f32", lo: Math.fround(0.1), hi: Math.fround(0.7) });
    expect([...h.counts]).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(h).toMatchObject({ nan: 1, underflow: 1 });
    expect((await engine.histogram([5, 5], { bins: 2 })).axis).toEqual(regular(2, 4.5, 5.5));
    expect((await engine.histogram([Number.NaN])).axis).toEqual(regular(256, 0, 1));
    const empty = await engine.histogram(new Float64Array(0));
    expect(empty.axis).toEqual(regular(256, 0, 1));
    expect(empty.sum({ flow: true })).toBe(0);
  });

  it("counts channels separately", async () => {
    await using engine = await openEngine({ backend: make() });
    const data = Uint8Array.of(0, 10, 20, 1, 11, 21);
    const all = await engine.histograms({ data, channels: 3 });
    expect(all.map((h) => h.counts.indexOf(1))).toEqual([0, 10, 20]);
    const some = await engine.histograms({ data, channels: 3 }, { channels: [2, 0] });
    expect(some.map((h) => h.counts.indexOf(1))).toEqual([20, 0]);
    expect((await engine.histogram({ data, channels: 3 }, { channel: 1 })).counts[11]).toBe(1);
    const floats = await engine.histograms(
      { data: Float64Array.from(data), channels: 3 },
      { channels: [1], bins: 1 },
    );
    expect(floats[0]!.axis).toEqual(regular(1, 10, 11));
  });

  it("counts a region only", async () => {
    await using engine = await openEngine({ backend: make() });
    const data = Uint8Array.from({ length: 40 }, (_, i) => i);
    const region = { x: 2, y: 1, width: 3, height: 2 };
    const { counts } = await engine.histogram({ data, width: 8, region });
    expect([10, 11, 12, 18, 19, 20].every((value) => counts[value] === 1)).toBe(true);
    expect(counts.reduce((a, b) => a + b)).toBe(6);
  });

  it("counts many inputs at once", async () => {
    await using engine = await openEngine({ backend: make() });
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, i) => engine.histogram(new Uint8Array(1000 + i).fill(i))),
    );
    all.forEach((h, i) => {
      expect(h.counts[i]).toBe(1000 + i);
    });
  });
});

describe("core's CPU", () => {
  it("has every algorithm except the one that needs threads, and all count the same", async () => {
    await using engine = await openEngine();
    expect([...engine.algorithms, "multithreaded"].sort()).toEqual([...SLUGS].sort());
    const next = random(3);
    const data = Float32Array.from({ length: 70_001 }, () => next() * 3 - 1);
    const axis = regular(50, 0, 1);
    const right = await engine.histogram(data, { axis });
    expect(right.algorithm).toBe("sequential");
    for (const algorithm of engine.algorithms) {
      const h = await engine.histogram(data, { axis, algorithm });
      expect(h.algorithm).toBe(algorithm);
      expect(h.counts).toEqual(right.counts);
      expect([h.underflow, h.overflow, h.nan]).toEqual([right.underflow, right.overflow, right.nan]);
      const bytes = await engine.histogram(
        Int8Array.from(data, (x) => x * 40),
        { bins: 64, algorithm },
      );
      expect(bytes.sum()).toBe(70_001);
    }
  });

  it("counts 16-bit samples through a table if there are many", async () => {
    await using engine = await openEngine();
    for (const [type, low] of [
      ["u16", 0],
      ["i16", -32_768],
    ] as const) {
      const data = arrayOf(
        type,
        Array.from({ length: 3 * 65_536 }, (_, i) => low + (i % 65_536)),
      );
      const h = await engine.histogram(data, { axis: variable([low - 1, low + 1, low + 65_534]) });
      expect([...h.counts]).toEqual([3, 3 * 65_534]);
      expect(h.overflow).toBe(3);
    }
  });

  it("lets a timer abort a long simulation", async () => {
    await using engine = await openEngine();
    const controller = new AbortController();
    const work = engine.histogram(new Uint8Array(4_000_000), {
      algorithm: "global",
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done > 100_000) controller.abort("enough");
      },
    });
    await expect(work).rejects.toBe("enough");
  });

  it("counts and finds the range in steps of 1 MiB, and can stop between them", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const data = { data: new Float64Array(2 ** 19), channels: 2 };
    type CallControl = Pick<HistogramOptions, "signal" | "onProgress">;
    const works = [
      (talk: CallControl) => engine.histograms(data, { ...talk, axis: regular(3, 0, 1) }),
      ({ signal, onProgress }: CallControl) =>
        engine.extent(data, { signal, onProgress: (done) => onProgress?.({ done, total: null }) }),
    ];
    for (const work of works) {
      const seen = new Set<number>();
      await work({ onProgress: ({ done }) => seen.add(done) });
      expect([...seen]).toEqual([1, 2, 3, 4].map((step) => step * 2 ** 16));
      const controller = new AbortController();
      let calls = 0;
      const onProgress = () => {
        calls++;
        controller.abort("enough");
      };
      await expect(work({ signal: controller.signal, onProgress })).rejects.toBe("enough");
      expect(calls).toBe(1);
    }
  });

  it("gives other work its turn", async () => {
    await using engine = await openEngine();
    const controller = new AbortController();
    // The timer can only fire if the simulation lets go of the thread.
    setTimeout(() => controller.abort("enough"), 0);
    const { signal } = controller;
    const work = engine.histogram(new Uint8Array(40_000_000), { algorithm: "per-thread", signal });
    await expect(work).rejects.toBe("enough");
  });
});

describe("the provenance of a result", () => {
  it("has the backend, the algorithm and the device's timings", async () => {
    const { engine, backend } = await open();
    const h = await engine.histogram(pixels, { algorithm: "global", timings: true });
    expect(h).toMatchObject({ backend: "fake", device: "a fake", algorithm: "global" });
    expect(h.plan).toBe(backend.jobs[0]!.plan);
    expect(h.plan).toMatchObject({ raw: true, samples: 4, channels: 1 });
    expect(h.timings).toMatchObject({ readMs: 1, uploadMs: 2, kernelMs: 4 });
    expect(h.timings!.totalMs).toBeGreaterThanOrEqual(0);
    await engine.close();
  });

  it("names the algorithm that was chosen automatically", async () => {
    const { engine } = await open();
    expect((await engine.histogram(pixels)).algorithm).toBe("per-lane");
    expect((await engine.histogram(pixels, { algorithm: "auto" })).algorithm).toBe("per-lane");
    await engine.close();
  });
});

describe("options", () => {
  it.each([
    [null, "ERR_INPUT", "an object for options"],
    [5, "ERR_INPUT", "an object for options"],
    [{ bin: 5 }, "ERR_INPUT", "received bin"],
    [{ channels: [0] }, "ERR_INPUT", "expected one of channel, weights, mask, where, by, axis"],
    [{ algorithm: "fastest" }, "ERR_UNSUPPORTED", 'for algorithm but received "fastest"'],
    [{ algorithm: null }, "ERR_UNSUPPORTED", "for algorithm but received null"],
    [{ algorithm: "toString" }, "ERR_UNSUPPORTED", "toString"],
    [{ axis: integer(0, 1), bins: 1 }, "ERR_INPUT", "either axis or bins"],
    [{ axis: null }, "ERR_AXIS", "for axis but received null"],
    [{ axis: { type: "integer", start: 5, stop: 1 } }, "ERR_AXIS", "above start (5)"],
    [{ bins: 0 }, "ERR_AXIS", "a whole number of at least 1 for bins but received 0"],
    [{ bins: 2.5 }, "ERR_AXIS", "for bins but received 2.5"],
    [{ bins: 65_537 }, "ERR_LIMIT", "at most 65536 bins for bins"],
    [{ channel: 1 }, "ERR_INPUT", "a channel from 0 to 0 for channel but received 1"],
    [{ channel: -1 }, "ERR_INPUT", "received -1"],
    [{ channel: "r" }, "ERR_INPUT", 'received "r"'],
    [{ type: "u16" }, "ERR_INPUT", 'the type of these samples, for type but received "u16"'],
    [{ interleaved: 2 }, "ERR_INPUT", "1, the channels of these samples, for interleaved but received 2"],
    [{ signal: {} }, "ERR_INPUT", "an AbortSignal for signal"],
    [{ onProgress: 5 }, "ERR_INPUT", "a function for onProgress but received 5"],
    [{ algorithm: "global", k: 3 }, "ERR_INPUT", "no k for global"],
  ])("wrong ones are refused: %#", async (options, code, message) => {
    const { engine, backend } = await open();
    for (const data of [pixels, Float32Array.of(1, 2)]) {
      const error = await rejectionOf(engine.histogram(data, options as HistogramOptions));
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    }
    expect(backend.record).not.toContain("count");
    await engine.close();
  });

  it.each([
    [{ channel: 0 }, "did you mean channels? received channel"],
    [{ channels: [] }, "at least one channel, each only once,"],
    [{ channels: [0, 0] }, "each only once"],
    [{ channels: [0, 3] }, "from 0 to 2 for channels[1] but received 3"],
    [{ channels: 5 }, "an array of channels for channels but received 5"],
  ])("wrong ones of histograms are refused: %#", async (options, message) => {
    const { engine } = await open();
    const error = await rejectionOf(
      engine.histograms({ data: new Uint8Array(6), channels: 3 }, options as never),
    );
    expect(error.code).toBe("ERR_INPUT");
    expect(error.message).toContain(message);
    await engine.close();
  });

  it("select one of several channels", async () => {
    const { engine } = await open();
    const error = await rejectionOf(engine.histogram({ data: new Uint8Array(6), channels: 3 }));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("call histograms") });
    await engine.close();
  });

  it("may repeat the type that the samples have", async () => {
    const { engine } = await open();
    expect((await engine.histogram(pixels, { type: "u8" })).sum()).toBe(4);
    await engine.close();
  });

  it("that no device supports carry backend and algorithm", async () => {
    const { engine } = await open({
      refuses: (of) => ("bins" in of && of.bins === 3 ? "three is too many" : null),
    });
    const none = await rejectionOf(engine.histogram(pixels, { algorithm: "trish" }));
    expect(none).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake", algorithm: "trish" });
    expect(none.message).toBe("fake has no kernel for trish; it has global, per-lane");
    const refused = await rejectionOf(engine.histogram(pixels, { algorithm: "global", bins: 3 }));
    expect(refused).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake", message: "three is too many" });
    const auto = await rejectionOf(engine.histogram(pixels, { bins: 3 }));
    expect(auto).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake", algorithm: undefined });
    await engine.close();
  });
});

describe("supports", () => {
  it("returns the plan, or the reason why there is none, and counts nothing", async () => {
    const { engine, backend } = await open({
      refuses: (of) => ("bins" in of && of.bins === 3 ? "three is too many" : null),
    });
    const ask = (algorithm: "global" | "trish", bins: number) =>
      engine.supports({
        algorithm,
        type: "f32",
        axis: regular(bins, 0, 1),
        samples: 9,
      });
    expect(await ask("global", 4)).toMatchObject({ algorithm: "global", bins: 4 });
    expect(await ask("global", 3)).toBe("three is too many");
    expect(await ask("trish", 4)).toContain("no kernel for trish");
    expect(await ask("trish", 300)).toContain("at most 256 bins");
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });
});

describe("a faulty device", () => {
  const wrong: Record<string, (honest: DevicePartial) => DevicePartial> = {
    "loses a sample": (honest) => {
      honest.channels[0]!.cells[2]! -= 1;
      return honest;
    },
    "counts one twice": (honest) => {
      honest.channels[0]!.flow[1]! += 1;
      return honest;
    },
    "returns nothing": (honest) => ({ ...honest, channels: [] }),
    "returns a channel too many": (honest) => ({
      ...honest,
      channels: [...honest.channels, ...honest.channels],
    }),
    "returns a short table": (honest) => ({
      ...honest,
      channels: [{ cells: new Float64Array(3), flow: new Float64Array(3) }],
    }),
  };

  it.each(Object.entries(wrong))("%s: no result", async (_, counted) => {
    const { engine } = await open({ counted });
    for (const data of [pixels, Float64Array.from(pixels)]) {
      expect(await rejectionOf(engine.histogram(data))).toMatchObject({ code: "ERR_MISCOUNT" });
    }
    await engine.close();
  });

  it("is named in errors that do not name it, with their cause", async () => {
    const plain = new PolybinError("ERR_OUT_OF_MEMORY", "full", { algorithm: "global" });
    const { engine } = await open({ counted: () => Promise.reject(plain) });
    const error = await rejectionOf(engine.histogram(pixels));
    expect(error).toMatchObject({
      code: "ERR_OUT_OF_MEMORY",
      message: "full",
      backend: "fake",
      cause: plain,
    });
    expect(error.algorithm).toBe("global");
    const fault = new TypeError("oops");
    const other = await open({ counted: () => Promise.reject(fault) });
    await expect(other.engine.histogram(pixels)).rejects.toBe(fault);
    await engine.close();
    await other.engine.close();
  });

  it("fails with its own error", async () => {
    const lost = new PolybinError("ERR_DEVICE_LOST", "unplugged", { backend: "fake" });
    const { engine } = await open({ counted: () => Promise.reject(lost) });
    await expect(engine.histogram(pixels)).rejects.toBe(lost);
    await engine.close();
  });

  it("is not used if there is nothing to count", async () => {
    const { engine, backend } = await open();
    expect((await engine.histogram(new Uint8Array(0))).sum()).toBe(0);
    const below = await engine.histogram(Uint32Array.of(1, 2, 3), { axis: regular(4, -9, -1) });
    expect(below).toMatchObject({ overflow: 3, underflow: 0 });
    const above = await engine.histograms(
      { data: new Uint32Array(6), channels: 2 },
      { axis: regular(4, 2 ** 33, 2 ** 34) },
    );
    expect(above.map((h) => h.underflow)).toEqual([3, 3]);
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });
});

describe("abort and progress", () => {
  it("an aborted signal stops the call before it starts", async () => {
    const { engine, backend } = await open();
    const signal = AbortSignal.abort("enough");
    await expect(engine.histogram(pixels, { signal })).rejects.toBe("enough");
    await expect(engine.upload(pixels, { signal })).rejects.toBe("enough");
    await expect(engine.extent(pixels, { signal })).rejects.toBe("enough");
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });

  it("a device that ignores the signal changes nothing", async () => {
    const controller = new AbortController();
    const { engine } = await open({
      counted(honest) {
        controller.abort("enough");
        return honest;
      },
    });
    await expect(engine.histogram(pixels, { signal: controller.signal })).rejects.toBe("enough");
    await engine.close();
  });

  it("progress comes from the device, with the total, and ends with it", async () => {
    const { engine } = await open({
      async count(job, { onProgress }) {
        onProgress?.(1);
        onProgress?.(3);
        const cells = new Float64Array(job.plan.cells);
        cells[0] = 4;
        return {
          channels: [{ cells, flow: new Float64Array(3) }],
          timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
        };
      },
    });
    const seen: unknown[] = [];
    await engine.histogram(pixels, { onProgress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 3, 4].map((done) => ({ done, total: 4 })));
    await engine.close();
  });
});

describe("an onProgress that throws", () => {
  const mistake = new Error("a mistake of the caller");
  const onProgress = () => {
    throw mistake;
  };

  it("stops the device, wherever the device calls it", async () => {
    let stopped: unknown;
    const { engine } = await open({
      count: (_job, { signal, onProgress: tell }) =>
        new Promise((_, reject) => {
          signal!.addEventListener("abort", () => {
            stopped = signal!.reason;
            reject(stopped);
          });
          setTimeout(() => {
            tell!(1);
            tell!(2);
          });
        }),
    });
    await expect(engine.histogram(pixels, { onProgress })).rejects.toBe(mistake);
    expect(stopped).toBe(mistake);
    await engine.close();
  });

  it("makes the call reject with its error even if the device ignores the signal", async () => {
    const { engine } = await open({
      extent: async (_input, _channels, options) => {
        options.onProgress?.(1);
        return { min: 0, max: 1 };
      },
    });
    await expect(engine.histogram(pixels, { onProgress })).rejects.toBe(mistake);
    await expect(engine.extent(pixels, { onProgress })).rejects.toBe(mistake);
    await expect(engine.histogram(new Blob([pixels]), { onProgress })).rejects.toBe(mistake);
    expect((await engine.histogram(pixels)).sum()).toBe(4);
  });

  it("does not replace the caller's own signal", async () => {
    const { engine } = await open();
    const controller = new AbortController();
    const abort = () => controller.abort(mistake);
    const call = engine.histogram(new Blob([pixels]), { signal: controller.signal, onProgress: abort });
    await expect(call).rejects.toBe(mistake);
  });
});

describe("an onProgress that is async", () => {
  it("and rejects stops the call, which rejects with the same error", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const calls: number[] = [];
    const onProgress = async ({ done }: { done: number }) => {
      calls.push(done);
      throw "enough";
    };
    const data = new Uint8Array(100 * 65_536);
    await expect(engine.histogram(data, { algorithm: "global", onProgress })).rejects.toBe("enough");
    expect(calls.length).toBeLessThan(100);
  });

  it("and rejects too late is not an unhandled rejection", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const onProgress = () => new Promise<void>((_, reject) => setTimeout(reject, 1, "late"));
    const h = await engine.histogram(new Uint8Array(5), { onProgress });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(h.counts[0]).toBe(5);
  });
});

describe("residents", () => {
  it("hold the samples as they were, and can be counted repeatedly", async () => {
    const { engine, backend } = await open();
    const data = Float32Array.of(1, 2, 3, 4);
    await using resident = await engine.upload({ data, channels: 2 });
    data.fill(0);
    expect(resident).toMatchObject({ type: "f32", channels: 2, pixels: 2 });
    for (let i = 0; i < 2; i++) {
      const all = await engine.histograms(resident, { bins: 3 });
      expect(all[0]!.axis).toMatchObject({ lo: 1, hi: 4 });
      expect([...all[1]!.counts]).toEqual([0, 1, 1]);
    }
    expect(await engine.extent(resident, { channels: [1] })).toEqual({ min: 2, max: 4 });
    expect(backend.record.filter((what) => what === "upload")).toHaveLength(1);
    await engine.close();
  });

  it("that were freed are refused", async () => {
    for (const { engine } of [await open(), { engine: await openEngine() }]) {
      const resident = await engine.upload(pixels);
      await resident.free();
      await resident.free();
      const error = await rejectionOf(engine.histogram(resident));
      expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("freed") });
      await engine.close();
    }
  });

  it("of another engine are refused", async () => {
    const { engine } = await open();
    await using other = await openEngine();
    const resident = await other.upload(pixels);
    const error = await rejectionOf(engine.histogram(resident));
    expect(error).toMatchObject({ code: "ERR_INPUT", backend: "fake" });
    expect(error.message).toBe("expected a resident that this engine uploaded");
    await expect(engine.extent(resident)).rejects.toMatchObject({ code: "ERR_INPUT" });
    const made = new HostResident(samples(pixels));
    await expect(other.histogram(made)).rejects.toMatchObject({ code: "ERR_INPUT" });
    await engine.close();
  });

  it("of another kind are refused by devices that keep theirs in memory", () => {
    const stranger = {
      type: "u8",
      channels: 1,
      pixels: 1,
      free: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    expect(() => samplesOf({ kind: "resident", resident: stranger as never })).toThrow("something else");
    const file = fileSamples({ path: "x", bytes: 1 });
    expect(() => samplesOf({ kind: "file", file })).toThrow("x cannot be read synchronously: await count");
  });

  it("that were freed hold no memory, even if a handle remains", async () => {
    const resident = new HostResident(samples(pixels));
    expect(samplesOf({ kind: "resident", resident }).pixels).toBe(resident.pixels);
    await resident.free();
    expect(resident.freed).toBe(true);
    expectError(() => samplesOf({ kind: "resident", resident }), "ERR_INPUT", "but they were freed");
  });

  it("are not accepted by upload", async () => {
    const { engine } = await open();
    const resident = await engine.upload(pixels);
    await expect(engine.upload(resident as never)).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(engine.upload(new Blob([]) as never)).rejects.toMatchObject({ code: "ERR_INPUT" });
    await engine.close();
  });
});

describe("files", () => {
  const file = fileSamples({ path: "/nowhere", bytes: 4 });

  it("are read by this thread for a backend that does not read files", async () => {
    const { engine } = await open();
    for (const work of [engine.histogram(file), engine.extent(file)]) {
      expect(await rejectionOf(work)).toMatchObject({
        code: "ERR_INPUT",
        backend: "fake",
        message: expect.stringContaining("cannot read /nowhere"),
      });
    }
    await engine.close();
  });

  it("are passed to a backend that reads them", async () => {
    const { engine, backend } = await open({
      readsFiles: true,
      async count(job) {
        backend.jobs.push(job);
        const cells = new Float64Array(256);
        cells[9] = 4;
        return {
          channels: [{ cells, flow: new Float64Array(3) }],
          timings: { readMs: 7, uploadMs: 0, kernelMs: 0 },
        };
      },
    });
    expect(engine.readsFiles).toBe(true);
    const h = await engine.histogram(file, { timings: true });
    expect(h.counts[9]).toBe(4);
    expect(h.timings!.readMs).toBe(7);
    expect(backend.jobs[0]!.input).toEqual({ kind: "file", file });
    await engine.close();
  });
});

describe("extent", () => {
  it("covers all channels by default", async () => {
    const { engine } = await open();
    const data = Float64Array.of(1, -5, Number.NaN, 9);
    expect(await engine.extent(data)).toEqual({ min: -5, max: 9 });
    expect(await engine.extent({ data, channels: 2 }, { channels: [0] })).toEqual({ min: 1, max: 1 });
    expect(await engine.extent([])).toEqual({ min: Infinity, max: -Infinity });
    await expect(engine.extent(data, { channels: [1] })).rejects.toMatchObject({ code: "ERR_INPUT" });
    await engine.close();
  });
});

describe("close", () => {
  it("waits for running calls, then frees residents, then closes the device", async () => {
    const gate = Promise.withResolvers<void>();
    const { engine, backend } = await open({
      async counted(honest) {
        await gate.promise;
        return honest;
      },
    });
    const kept = await engine.upload(pixels);
    await engine.upload(pixels);
    const running = engine.histogram(kept);
    const late = engine.upload(pixels);
    const closing = engine.close();
    let closed = false;
    void closing.then(() => {
      closed = true;
    });
    await late;
    expect(closed).toBe(false);
    expect(backend.record).not.toContain("free");
    gate.resolve();
    expect((await running).sum()).toBe(4);
    await closing;
    expect(backend.record.slice(-4)).toEqual(["free", "free", "free", "close"]);
  });

  it("also waits for calls that fail", async () => {
    const gate = Promise.withResolvers<DevicePartial>();
    const { engine, backend } = await open({ counted: () => gate.promise });
    const running = rejectionOf(engine.histogram(pixels));
    const closing = engine.close();
    gate.reject(new PolybinError("ERR_DEVICE_LOST", "unplugged"));
    await closing;
    expect((await running).code).toBe("ERR_DEVICE_LOST");
    expect(backend.record.at(-1)).toBe("close");
  });

  it("may be called twice", async () => {
    const { engine, backend } = await open();
    const first = engine.close();
    expect(engine.close()).toBe(first);
    await first;
    await engine[Symbol.asyncDispose]();
    expect(backend.record).toEqual(["open", "close"]);
  });

  it("makes later calls reject", async () => {
    const { engine } = await open();
    const resident = await engine.upload(pixels);
    const closing = engine.close();
    for (const work of [
      engine.histogram(pixels),
      engine.histograms(pixels),
      engine.upload(pixels),
      engine.extent(pixels),
      engine.histogram(resident),
      engine.histogram(new Blob([])),
    ]) {
      const error = await rejectionOf(work);
      expect(error).toMatchObject({ code: "ERR_UNAVAILABLE", backend: "fake" });
      expect(error.message).toContain("this one was closed");
    }
    await closing;
  });

  it("closes the device even if a resident cannot be freed", async () => {
    const { engine, backend } = await open();
    const resident = await engine.upload(pixels);
    Object.assign(resident, { free: () => Promise.reject(new Error("stuck")) });
    await expect(engine.close()).rejects.toThrow("stuck");
    expect(backend.record.at(-1)).toBe("close");
  });
});

describe("streams", () => {
  async function* chunks(...of: readonly ArrayBufferView[]) {
    for (const one of of) yield new Uint8Array(one.buffer, one.byteOffset, one.byteLength);
  }

  it("are counted in every form", async () => {
    await using engine = await openEngine();
    const data = Uint8Array.from({ length: 1000 }, (_, i) => i);
    const right = await engine.histogram(data);
    for (const stream of [
      chunks(data),
      new Blob([data]),
      new Blob([data]).stream(),
      Readable.from([Buffer.from(data)]),
    ]) {
      const h = await engine.histogram(stream, { timings: true });
      expect(h.counts).toEqual(right.counts);
      expect(h.timings!.readMs).toBeGreaterThanOrEqual(0);
    }
    expect((await engine.histogram(new Blob([]))).sum()).toBe(0);
  });

  it("are interleaved as the caller says", async () => {
    await using engine = await openEngine();
    const data = Uint8Array.of(0, 10, 20, 1, 11, 21);
    const all = await engine.histograms(new Blob([data]), { interleaved: 3 });
    expect(all.map((h) => h.counts.indexOf(1))).toEqual([0, 10, 20]);
    const one = await engine.histogram(new Blob([data]), { interleaved: 3, channel: 1 });
    expect(one.counts[11]).toBe(1);
    expect((await engine.histogram(new Blob([data]))).sum()).toBe(6);
  });

  it("are of the type that the caller names", async () => {
    await using engine = await openEngine();
    const axis = regular(2, 0, 1);
    const h = await engine.histogram(chunks(Float64Array.of(0.1, 0.9, Number.NaN, 7)), { type: "f64", axis });
    expect([...h.counts]).toEqual([1, 1]);
    expect(h).toMatchObject({ nan: 1, overflow: 1, type: "f64" });
    expect((await engine.histogram(chunks(Uint16Array.of(5)), { type: "u16", bins: 65_536 })).counts[5]).toBe(
      1,
    );
  });

  it("are cut into pieces of whole pixels, each counted once, in order", async () => {
    const { engine, backend } = await open();
    const size = 8_388_600;
    const data = Float64Array.from({ length: (3 * size) / 8 }, (_, i) => i % 3);
    const [one, two] = [data.subarray(0, 2_000_000), data.subarray(2_000_000)];
    const seen: unknown[] = [];
    const all = await engine.histograms(chunks(one, two), {
      type: "f64",
      interleaved: 3,
      axis: integer(0, 3),
      channels: [0, 2, 1],
      onProgress: (progress) => seen.push(progress),
    });
    expect(all.map((h) => [...h.counts])).toEqual([
      [1_048_575, 0, 0],
      [0, 0, 1_048_575],
      [0, 1_048_575, 0],
    ]);
    expect(seen).toEqual([349_525, 699_050, 1_048_575].map((done) => ({ done, total: null })));
    expect(backend.jobs.map(({ input }) => input.kind === "samples" && input.samples.bytes.length)).toEqual([
      size,
      size,
      size,
    ]);
    expect(new Set(backend.jobs.map(({ plan }) => plan)).size).toBe(1);
    await engine.close();
  });

  it.each([
    [{ type: "f32" }, "ERR_AXIS", "an axis for a stream of f32"],
    [{ type: "f8" }, "ERR_INPUT", "one of u8, i8"],
    [{ bins: 0 }, "ERR_AXIS", "for bins but received 0"],
    [{ type: "f32", bins: 0 }, "ERR_AXIS", "for bins but received 0"],
    [{ channel: -1, interleaved: 4 }, "ERR_INPUT", "a channel from 0 to 3"],
    [{ channel: Number.NaN, interleaved: 4 }, "ERR_INPUT", "a channel from 0 to 3"],
    [{ channel: 0.5, interleaved: 4 }, "ERR_INPUT", "a channel from 0 to 3"],
    [{ channel: 4, interleaved: 4 }, "ERR_INPUT", "a channel from 0 to 3"],
    [{ channel: 1 }, "ERR_INPUT", "a channel from 0 to 0"],
    [{ interleaved: 3 }, "ERR_INPUT", "choose a channel"],
    [{ interleaved: 5 }, "ERR_INPUT", "from 1 to 4"],
    [{ axis: 5 }, "ERR_AXIS", "for axis"],
    [{ algorithm: "trish" }, "ERR_UNSUPPORTED", "no kernel for trish"],
  ])("wrong options are refused: %#", async (options, code, message) => {
    const { engine } = await open();
    const error = await rejectionOf(engine.histogram(new Blob([pixels]), options as HistogramOptions));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    await engine.close();
  });

  it("refuse invalid channels before they read", async () => {
    const { engine } = await open();
    for (const channels of [[], [0, 0], [9]]) {
      await expect(engine.histograms(new Blob([pixels]), { channels })).rejects.toMatchObject({
        code: "ERR_INPUT",
      });
    }
    await engine.close();
  });

  /** Endless pieces of 8 MiB, and whether they were closed. */
  function endless() {
    const piece = new Uint8Array(8_388_608);
    const state = { read: 0, closed: false };
    const stream = (async function* () {
      try {
        for (;;) {
          state.read++;
          yield piece;
        }
      } finally {
        state.closed = true;
      }
    })();
    return { stream, state };
  }

  it("are closed when the signal aborts", async () => {
    const { engine } = await open();
    const { stream, state } = endless();
    const controller = new AbortController();
    const work = engine.histogram(stream, {
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done >= 3 * 8_388_608) controller.abort("enough");
      },
    });
    await expect(work).rejects.toBe("enough");
    await engine.close();
    expect(state.closed).toBe(true);
    expect(state.read).toBeLessThan(7);
  });

  it("are closed when the device fails, and reject with its error", async () => {
    let pieces = 0;
    const { engine } = await open({
      counted(honest) {
        pieces++;
        if (pieces === 2) throw new PolybinError("ERR_DEVICE_LOST", "unplugged");
        return honest;
      },
    });
    const { stream, state } = endless();
    expect((await rejectionOf(engine.histogram(stream))).message).toBe("unplugged");
    expect(state.closed).toBe(true);
    await engine.close();
  });

  it("return no result if a piece was miscounted", async () => {
    const { engine } = await open({
      counted(honest) {
        honest.channels[0]!.cells[0]! += 1;
        return honest;
      },
    });
    const { stream } = endless();
    expect((await rejectionOf(engine.histogram(stream))).code).toBe("ERR_MISCOUNT");
    await engine.close();
  });

  it("that fail wait for the piece that is being counted", async () => {
    const gate = Promise.withResolvers<void>();
    const record: string[] = [];
    const { engine } = await open({
      async counted(honest) {
        await gate.promise;
        record.push("counted");
        return honest;
      },
    });
    const failing = async function* () {
      yield new Uint8Array(8_388_608);
      queueMicrotask(gate.resolve);
      throw new TypeError("the disk is gone");
    };
    await engine.histogram(failing()).catch((error: Error) => record.push(error.message));
    expect(record).toEqual(["counted", "the disk is gone"]);
    await engine.close();
  });

  it("whose last bytes are not a whole sample return no result", async () => {
    const { engine } = await open();
    const error = await rejectionOf(engine.histogram(new Blob([new Uint8Array(7)]), { type: "u16" }));
    expect(error).toMatchObject({ code: "ERR_INPUT" });
    await engine.close();
  });
});

describe("the fake", () => {
  it("counts correctly and has the limits of a GPU", async () => {
    const { engine } = await open();
    expect(
      await engine.supports({
        algorithm: "global",
        samples: 2 ** 20,
      }),
    ).toMatchObject({
      blocks: gpu().units,
    });
    expect(extentOf(samples(pixels), [0])).toEqual({ min: 1, max: 255 });
    await engine.close();
  });
});
