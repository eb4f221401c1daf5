import { describe, expect, it } from "vitest";
import { integer, regular } from "../src/axis/axis.ts";
import { boolean, category } from "../src/axis/category.ts";
import { circular } from "../src/axis/circular.ts";
import type { CountJob, EncodeTarget } from "../src/backend/index.ts";
import { cpu } from "../src/cpu/cpu.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import type { EncodeOptions } from "../src/engine/options/options.ts";
import type { External } from "../src/input/handed.ts";
import { samples } from "../src/input/samples.ts";
import { type Fake, FakeBackend, rejectionOf } from "./helpers.ts";

type EncodeJob = CountJob & EncodeTarget;

const encoder = {};
const into = {};

function external(changes: Partial<External> = {}): External {
  return { kind: "external", backend: "fake", type: "u8", channels: 1, pixels: 4, ...changes };
}

/** An engine whose device keeps what it was told to encode. */
async function open(fake: Fake = {}): Promise<{ engine: Engine; jobs: EncodeJob[]; backend: FakeBackend }> {
  const jobs: EncodeJob[] = [];
  const backend = new FakeBackend({
    encode: async (job) => {
      jobs.push(job);
    },
    ...fake,
  });
  return { engine: await openEngine({ backend }), jobs, backend };
}

describe("samples that are on a device already", () => {
  it("are passed to the device unchanged, with their own shape", async () => {
    const held = samples({ data: Float32Array.of(1, 5, 2, 7), channels: 2 });
    const record: unknown[] = [];
    const { engine } = await open({
      extent: async (input, channels) => {
        record.push([input, channels]);
        return { min: 1, max: 2 };
      },
      counted: () => ({ channels: [], timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } }),
      count: async ({ input, plan }) => {
        record.push(input);
        const cells = new Float64Array(plan.cells);
        cells[1] = 2;
        return {
          channels: [{ cells, flow: new Float64Array(3) }],
          timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
        };
      },
    });
    const input = external({ type: held.type, channels: held.channels, pixels: held.pixels });
    const h = await engine.histogram(input, { channel: 0, bins: 2 });
    expect(h.axis).toMatchObject({ type: "regular", lo: 1, hi: 2, spacing: "f32" });
    expect([...h.counts]).toEqual([0, 2]);
    expect(await engine.extent(input, { channels: [1] })).toEqual({ min: 1, max: 2 });
    const handed = { kind: "external", external: input };
    expect(record).toEqual([[handed, [0]], handed, [handed, [1]]]);
    await engine.close();
  });

  it("of another backend are refused, with its name, before the device is used", async () => {
    const { engine, backend } = await open();
    await using plain = await openEngine({ backend: cpu() });
    const input = external({ backend: "webgpu" });
    for (const [of, id] of [
      [engine, "fake"],
      [plain, "cpu"],
    ] as const) {
      for (const work of [of.histogram(input), of.histograms(input), of.extent(input)]) {
        const error = await rejectionOf(work);
        expect(error).toMatchObject({ code: "ERR_INPUT", backend: id });
        expect(error.message).toContain(`${id} can reach but these are on a device of webgpu`);
      }
    }
    expect(await rejectionOf(engine.encode(encoder, input, { into }))).toMatchObject({ code: "ERR_INPUT" });
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });
});

describe("encode", () => {
  it("lowers, plans, and returns the layout of the counts", async () => {
    const { engine, jobs } = await open();
    const input = external({ channels: 3, pixels: 10 });
    const axis = regular(5, 0, 256);
    const encoded = await engine.encode(encoder, input, {
      into,
      axis,
      channels: [2, 0],
      offset: 8,
      add: true,
    });
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({ channels: [2, 0], pixels: 10, offset: 8, add: true, check: true, axis });
    expect(jobs[0]!.lowering).toMatchObject({ kind: "table", bins: 5, type: "u8" });
    expect(jobs[0]!.encoder).toBe(encoder);
    expect(jobs[0]!.into).toBe(into);
    expect(jobs[0]!.input).toEqual({ kind: "external", external: input });
    expect(encoded).toEqual({
      backend: "fake",
      algorithm: "per-lane",
      plan: jobs[0]!.plan,
      axis,
      layout: { channels: [2, 0], offsets: [8, 8 + 8 * 4], bytes: 2 * 8 * 4 },
    });
    await engine.close();
  });

  it("takes residents, default axes of integers, and every channel", async () => {
    const { engine, jobs, backend } = await open();
    const resident = await engine.upload({ data: new Int16Array(6), channels: 2 });
    const { axis, layout } = await engine.encode(encoder, resident, {
      into,
      bins: 65_536,
      algorithm: "global",
    });
    expect(axis).toEqual(integer(-32_768, 32_768));
    expect(layout.channels).toEqual([0, 1]);
    expect(jobs[0]).toMatchObject({ offset: 0, add: false, plan: { algorithm: "global" } });
    expect(backend.record).toEqual(["open", "upload"]);
    await engine.close();
  });

  it("also passes axes that no sample meets, and empty inputs, to the device", async () => {
    const { engine, jobs } = await open();
    await engine.encode(encoder, external({ type: "u32" }), { into, axis: regular(4, -9, -1) });
    await engine.encode(encoder, external({ pixels: 0 }), { into });
    expect(jobs.map(({ lowering, pixels }) => [lowering.kind, pixels])).toEqual([
      ["constant", 4],
      ["table", 0],
    ]);
    await engine.close();
  });

  it("passes the codes of axes whose bins are no ascending intervals, and of f16", async () => {
    const { engine, jobs } = await open();
    const { axis, layout } = await engine.encode(encoder, external(), { into, axis: category([7, 3, 4]) });
    expect(axis).toEqual(category([7, 3, 4]));
    expect(layout).toEqual({ channels: [0], offsets: [0], bytes: 6 * 4 });
    // 3, 4, those between, 7; underflow, overflow and NaN are unknown.
    expect(jobs[0]).toMatchObject({ axis: { bins: 4 }, bins: 3, codes: Uint32Array.of(1, 2, 4, 0, 4, 4, 4) });
    await engine.encode(encoder, external(), { into, axis: boolean() });
    expect(jobs[1]).toMatchObject({ axis: { bins: 1 }, bins: 2, codes: Uint32Array.of(0, 1, 1, 4) });
    await engine.encode(encoder, external({ type: "u16" }), { into, axis: circular(4, 16) });
    expect(jobs[2]).toMatchObject({ type: "u16", bins: 4 });
    await engine.encode(encoder, external({ type: "f16" }), { into, axis: regular(2, 0, 1) });
    expect(jobs[3]).toMatchObject({ type: "u16", bins: 2 });
    for (const { codes, bins, axis } of jobs) {
      expect(codes).toHaveLength(axis.bins + 3);
      expect(Math.max(...codes!)).toBeLessThan(bins + 3);
    }
    await engine.encode(encoder, external(), { into });
    expect(jobs[4]).toMatchObject({ bins: 256, codes: null });
    await engine.close();
  });

  it("refuses samples that the host would convert", async () => {
    const { engine, jobs } = await open();
    for (const type of ["u32", "i32", "f32", "f64"] as const) {
      const error = await rejectionOf(
        engine.encode(encoder, external({ type }), { into, axis: circular(4, 16) }),
      );
      expect(error).toMatchObject({ code: "ERR_UNSUPPORTED", backend: "fake" });
      expect(error.message).toContain(`for a circular axis the host first converts those of ${type} to f64`);
    }
    const resident = await engine.upload(BigInt64Array.of(1n, 2n));
    const axis = regular(2, 0, 2 ** 60);
    const error = await rejectionOf(engine.encode(encoder, resident, { into, axis }));
    expect(error.message).toContain("an open last bin (closed: false)");
    expect(jobs).toEqual([]);
    await engine.encode(encoder, resident, { into, axis: regular(2, 0, 8) });
    expect(jobs[0]).toMatchObject({ type: "f64", codes: null });
    await engine.close();
  });

  it("counts up to 2^32 - 1 samples", async () => {
    const { engine, jobs } = await open();
    await engine.encode(encoder, external({ pixels: 2 ** 32 - 1 }), { into });
    const error = await rejectionOf(engine.encode(encoder, external({ pixels: 2 ** 32 }), { into }));
    expect(error).toMatchObject({ code: "ERR_LIMIT", backend: "fake" });
    expect(error.message).toContain("at most 4294967295");
    expect(jobs).toHaveLength(1);
    await engine.close();
  });

  it("does not look for the range of floats", async () => {
    const { engine, backend } = await open();
    for (const type of ["f32", "f64"] as const) {
      const error = await rejectionOf(engine.encode(encoder, external({ type }), { into, bins: 9 }));
      expect(error).toMatchObject({ code: "ERR_AXIS" });
      expect(error.message).toContain(`an axis for ${type} samples`);
    }
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });

  it("is refused by a backend without encoders", async () => {
    for (const backend of [cpu(), new FakeBackend()]) {
      await using engine = await openEngine({ backend });
      const resident = await engine.upload(new Uint8Array(4));
      const error = await rejectionOf(engine.encode(encoder, resident, { into }));
      expect(error).toMatchObject({ code: "ERR_UNSUPPORTED", backend: backend.id });
      expect(error.message).toContain(`${backend.id} has no encoders`);
    }
  });

  it.each([
    [undefined, "ERR_INPUT", "an object for options"],
    [{}, "ERR_INPUT", "such as a GPUBuffer, for into but received undefined"],
    [{ into: 5 }, "ERR_INPUT", "for into but received 5"],
    [{ into, offset: 2 }, "ERR_INPUT", "a multiple of 4 for offset but received 2"],
    [{ into, offset: -4 }, "ERR_INPUT", "for offset but received -4"],
    [{ into, add: 1 }, "ERR_INPUT", "true or false for add but received 1"],
    [{ into, check: null }, "ERR_INPUT", "true or false for check but received null"],
    [{ into, onProgress: () => {} }, "ERR_INPUT", "received onProgress"],
    [{ into, type: "u8" }, "ERR_INPUT", "received type"],
    [{ into, channels: [1] }, "ERR_INPUT", "a channel from 0 to 0"],
    [{ into, bins: 4, axis: integer(0, 4) }, "ERR_INPUT", "either axis or bins"],
    [{ into, axis: {} }, "ERR_AXIS", "for axis"],
    [{ into, algorithm: "trish" }, "ERR_UNSUPPORTED", "no kernel for trish"],
    [{ into, algorithm: "fastest" }, "ERR_UNSUPPORTED", "for algorithm"],
    [{ into, algorithm: "global", k: 3 }, "ERR_INPUT", "no k for global"],
  ])("refuses wrong options: %#", async (options, code, message) => {
    const { engine, jobs } = await open();
    const error = await rejectionOf(engine.encode(encoder, external(), options as EncodeOptions));
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(jobs).toEqual([]);
    await engine.close();
  });

  it("refuses invalid encoders, and samples that are not on the device", async () => {
    const { engine, jobs } = await open();
    const none = await rejectionOf(engine.encode(null as never, external(), { into }));
    expect(none).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("for encoder") });
    const host = await rejectionOf(engine.encode(encoder, new Uint8Array(4) as never, { into }));
    expect(host).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("on the device") });
    const resident = await engine.upload(new Uint8Array(4));
    await resident.free();
    const freed = await rejectionOf(engine.encode(encoder, resident, { into }));
    expect(freed).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("freed") });
    expect(jobs).toEqual([]);
    await engine.close();
    const closed = await rejectionOf(engine.encode(encoder, external(), { into }));
    expect(closed).toMatchObject({ code: "ERR_UNAVAILABLE" });
  });

  it("ends when the signal aborts or the device fails", async () => {
    const { engine, jobs } = await open({ encode: () => Promise.reject(new TypeError("oops")) });
    const signal = AbortSignal.abort("enough");
    await expect(engine.encode(encoder, external(), { into, signal })).rejects.toBe("enough");
    await expect(engine.encode(encoder, external(), { into })).rejects.toThrow("oops");
    expect(jobs).toEqual([]);
    await engine.close();
  });
});
