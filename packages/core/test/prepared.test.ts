import { describe, expect, it } from "vitest";
import { integer, regular, variable } from "../src/axis/axis.ts";
import { category } from "../src/axis/category.ts";
import type { ChannelsPart as Counted } from "../src/backend/index.ts";
import type { Engine } from "../src/engine/engine/engine.ts";
import { openEngine } from "../src/engine/open.ts";
import type { HistogramOptions } from "../src/engine/options/options.ts";
import type { Countable } from "../src/input/source.ts";
import { type Fake, FakeBackend, named, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

async function open(fake: Fake = {}) {
  const backend = new FakeBackend({ algorithms: named("global", "per-warp", "per-lane"), ...fake });
  const engine = await openEngine({ backend });
  return { engine, backend, prepared: backend.prepared };
}

const data = Uint8Array.of(1, 2, 3, 250);
type Options = HistogramOptions & { readonly channels?: readonly number[] };

describe("a prepared job", () => {
  it("serves calls of the same shape on other samples, sequentially and concurrently", async () => {
    const { engine, prepared } = await open();
    for (let i = 0; i < 3; i++) {
      const h = await engine.histogram(data.map((value) => value + i));
      expect([h.counts[1 + i], h.counts[2 + i], h.counts[3 + i], h.sum()]).toEqual([1, 1, 1, 4]);
    }
    const many = Array.from({ length: 20 }, (_, i) => new Uint8Array(4).fill(i));
    const counted = await Promise.all(many.map((one) => engine.histogram(one)));
    expect(counted.map((h, i) => h.counts[i])).toEqual(new Array(20).fill(4));
    expect(prepared).toHaveLength(1);
    expect(new Set(counted.map((h) => h.plan)).size).toBe(1);
    await engine.close();
  });

  it("serves equal axes, given as an axis or as options", async () => {
    const { engine, prepared } = await open();
    const again: Options[] = [
      {},
      { axis: integer(0, 256) },
      { axis: { ...integer(0, 256) } },
      { bins: 256 },
      { algorithm: "auto" },
      { algorithm: undefined },
    ];
    for (const options of again) await engine.histogram(data, options);
    expect(prepared).toHaveLength(1);
    for (let i = 0; i < 3; i++) await engine.histogram(Float64Array.from(data), { bins: 4, range: [0, 9] });
    expect(prepared).toHaveLength(2);
    const edges = variable([0, 1, 9]);
    for (let i = 0; i < 3; i++) await engine.histogram(data, { axis: edges });
    expect(prepared).toHaveLength(3);
    await engine.close();
  });

  it.each<[string, Countable, Options]>([
    ["size", Uint8Array.of(1, 2, 3), {}],
    ["number of channels", { data, channels: 2 }, {}],
    ["type", Int8Array.of(1, 2, 3, 4), {}],
    ["number of bins", data, { bins: 128 }],
    ["axis", data, { axis: integer(1, 257) }],
    ["kind of axis", data, { axis: regular(256, 0, 256.5) }],
    ["algorithm", data, { algorithm: "global" }],
    ["algorithm with a parameter", data, { algorithm: "per-warp", collisions: "atomic" }],
  ])("another %s is another job", async (_, input, options) => {
    const { engine, prepared } = await open();
    await engine.histograms(data);
    await engine.histograms(input, options);
    expect(prepared).toHaveLength(2);
    expect(prepared[1]).not.toEqual(prepared[0]);
    await engine.histograms(data);
    await engine.histograms(input, options);
    expect(prepared).toHaveLength(2);
    await engine.close();
  });

  it("distinguishes parameters, and channels by index and order", async () => {
    const { engine, prepared } = await open();
    const algorithm = "per-warp";
    for (const collisions of ["atomic", "tag", "atomic", "tag"] as const) {
      const { plan } = await engine.histogram(data, { algorithm, collisions });
      expect(plan!.parameters).toEqual({ collisions, reduce: "tables" });
    }
    expect(prepared).toHaveLength(2);
    const pair = { data, channels: 2 };
    for (const channels of [[0], [1], [0, 1], [1, 0], [0], [1, 0]]) {
      const all = await engine.histograms(pair, { channels });
      expect(all.map((h) => h.counts.indexOf(1))).toEqual(channels.map((channel) => data[channel]));
    }
    expect(prepared.slice(2).map(({ channels }) => channels)).toEqual([[0], [1], [0, 1], [1, 0]]);
    await engine.close();
  });

  it("keeps no reference to the caller's objects", async () => {
    const { engine, prepared } = await open();
    const channels = [1, 0];
    await engine.histograms({ data, channels: 2 }, { channels });
    channels[0] = 0;
    expect(prepared[0]!.channels).toEqual([1, 0]);
    expect(Object.isFrozen(prepared[0]!.channels)).toBe(true);
    expect("input" in prepared[0]!).toBe(false);
    await engine.close();
  });

  it.each([Symbol("k"), () => 5, 5n, {}, Object.create(null), null, Number.NaN, [9]])(
    "does not serve a wrong parameter: %#",
    async (wrong) => {
      const { engine, prepared } = await open({ algorithms: named("trish") });
      for (const k of [undefined, 9]) await engine.histogram(data, { algorithm: "trish", k });
      const error = await rejectionOf(engine.histogram(data, { algorithm: "trish", k: wrong as Anything }));
      expect(error).toMatchObject({ code: "ERR_INPUT", algorithm: "trish" });
      expect(error.message).toContain("from 1 to 63 for k");
      expect(prepared).toHaveLength(2);
      await engine.close();
    },
  );

  it("is cached for the last 128 shapes, whatever their axes", async () => {
    const { engine, prepared } = await open();
    const of = (n: number) => engine.histogram(new Uint8Array(n));
    for (let n = 1; n <= 128; n++) await of(n);
    for (let n = 128; n >= 1; n--) await of(n);
    expect(prepared).toHaveLength(128);
    // The job that was not used for the longest time goes. The recipe of the call itself keeps the last 16 sizes.
    for (let i = 0; i < 2; i++) await engine.histogram(new Uint8Array(5), { bins: 4 });
    expect(prepared).toHaveLength(129);
    await of(127);
    expect(prepared).toHaveLength(129);
    await of(113);
    expect(prepared).toHaveLength(130);
    await engine.close();
  });

  it("is another one for each axis, although devices count over the same intervals", async () => {
    const { engine, prepared } = await open();
    for (const axis of [integer(1, 3), category([2, 1]), category([1, 2]), integer(1, 3)]) {
      await engine.histogram(data, { axis });
    }
    expect(prepared).toHaveLength(3);
    expect(new Set(prepared.map(({ lowering }) => lowering)).size).toBe(1);
    await engine.close();
  });

  it("serves explain, counting and encoding", async () => {
    const encoded: unknown[] = [];
    const { engine, prepared } = await open({ encode: async (job) => void encoded.push(job.plan) });
    const { plan } = await engine.explain({ samples: 4 });
    expect((await engine.histogram(data)).plan).toBe(plan);
    const resident = await engine.upload(data);
    await engine.encode({}, resident, { into: {} });
    expect(encoded).toEqual([plan]);
    expect(prepared).toHaveLength(1);
    await engine.close();
  });

  it("is shared by all pieces of a stream", async () => {
    const { engine, prepared } = await open();
    const chunk = new Uint8Array(8_388_608);
    const stream = async function* () {
      yield chunk;
      yield chunk;
      yield data;
    };
    expect((await engine.histogram(stream())).sum()).toBe(2 * chunk.length + 4);
    expect(prepared).toHaveLength(1);
    await engine.close();
  });
});

describe("a job is not prepared", () => {
  it("if there are no samples, or all have one code", async () => {
    const { engine, backend, prepared } = await open();
    expect((await engine.histogram(new Uint8Array(0))).sum()).toBe(0);
    expect((await engine.histogram((async function* () {})())).sum()).toBe(0);
    const below = await engine.histogram(Uint32Array.of(1, 2, 3), { axis: regular(4, -9, -1) });
    expect(below.overflow).toBe(3);
    expect(prepared).toEqual([]);
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });

  it("if the plan is refused", async () => {
    const { engine, prepared } = await open({ refuses: () => "not today" });
    for (let i = 0; i < 2; i++) {
      expect(await rejectionOf(engine.histogram(data))).toMatchObject({ code: "ERR_UNSUPPORTED" });
    }
    expect(await engine.supports({ samples: 4 })).toContain("not today");
    expect(prepared).toEqual([]);
    await engine.close();
  });
});

describe("a device that fails to prepare", () => {
  const counted: Counted = {
    channels: [{ cells: new Float64Array(256).fill(4, 0, 1), flow: new Float64Array(3) }],
    timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
  };

  it("is asked again at the next call", async () => {
    let tries = 0;
    const { engine } = await open({
      preparers: {
        channels() {
          tries++;
          if (tries < 3) throw new TypeError(`failure ${tries}`);
          return { launch: {}, count: async () => counted };
        },
      },
    });
    const once = (): ReturnType<Engine["histogram"]> => engine.histogram(new Uint8Array(4));
    await expect(once()).rejects.toThrow("failure 1");
    await expect(engine.explain({ samples: 4 })).rejects.toThrow("failure 2");
    expect((await once()).counts[0]).toBe(4);
    expect((await once()).counts[0]).toBe(4);
    expect(tries).toBe(3);
    await engine.close();
  });

  it("does not affect other jobs or running calls", async () => {
    const gate = Promise.withResolvers<void>();
    const { engine } = await open({
      preparers: {
        channels({ plan }) {
          if (plan.algorithm === "global") throw new TypeError("no global memory");
          return {
            launch: {},
            count: async () => {
              await gate.promise;
              return counted;
            },
          };
        },
      },
    });
    const running = engine.histogram(new Uint8Array(4), { algorithm: "per-lane" });
    await expect(engine.histogram(new Uint8Array(4), { algorithm: "global" })).rejects.toThrow("no global");
    gate.resolve();
    expect((await running).counts[0]).toBe(4);
    await engine.close();
  });

  it("keeps the job after a failed count, so that the next call runs it", async () => {
    let counts = 0;
    const { engine, prepared } = await open({
      count: async () => {
        if (counts++ === 0) throw new TypeError("lost the device for a moment");
        return counted;
      },
    });
    await expect(engine.histogram(new Uint8Array(4))).rejects.toThrow("for a moment");
    expect((await engine.histogram(new Uint8Array(4))).counts[0]).toBe(4);
    expect(prepared).toHaveLength(1);
    await engine.close();
  });

  it("returns each result with the axis of its own call", async () => {
    const engine = await openEngine();
    const axes = [regular(10, 0, 255), regular(10, 0, 255)];
    for (const axis of axes) expect((await engine.histogram(new Uint8Array(4), { axis })).axis).toBe(axis);
    await engine.close();
  });
});
