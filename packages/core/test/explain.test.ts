import { describe, expect, it } from "vitest";
import { integer, regular, variable } from "../src/axis/axis.ts";
import { circular } from "../src/axis/circular.ts";
import { cpu } from "../src/cpu/cpu.ts";

import { openEngine } from "../src/engine/open.ts";
import { describePlan } from "../src/plan/plan.ts";
import { type Fake, FakeBackend, named, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

const axis = integer(0, 64);

async function open(fake: Fake = {}) {
  const backend = new FakeBackend(fake);
  return { engine: await openEngine({ backend }), backend };
}

describe("a request", () => {
  const [x, y] = [{ type: "u8", axis } as const, { type: "f32", axis: regular(4, 0, 1) } as const];

  it.each<[string, object, number]>([
    ["two columns", { columns: [x, y] }, 64 * 7 + 3 * 7],
    ["a mask", { axis, mask: true }, 67],
    ["a list", { axis, where: true }, 67],
    ["groups", { axis, by: { type: "u8", groups: 2 } }, 5 * 67],
    ["segments", { axis, segments: { every: 100 } }, 10 * 67],
    ["segments of two columns", { columns: [x, y], segments: { every: 500 } }, 2 * 67 * 7],
  ])("of %s is prepared on the host where the device only counts channels", async (_, part, cells) => {
    const { engine, backend } = await open();
    for (const algorithm of ["auto", "global", undefined] as const) {
      const request = { samples: 1000, algorithm, ...part };
      expect(await engine.supports(request)).toMatchObject({ kind: "channels", type: "u32", samples: 1000 });
      const { host, plan, text } = await engine.explain(request);
      expect(host).toHaveLength(1);
      expect(host[0]).toMatch(
        /^this thread finds the cells: it reads \d bytes and writes 4 bytes per sample, and fake/,
      );
      expect(text).toContain(host[0]);
      expect(plan).toMatchObject({ bins: cells });
    }
    expect(backend.record).toEqual(["open"]);
    await engine.close();
  });

  it("says which samples this thread converts first", async () => {
    const { engine } = await open();
    const says = (type: string, bytes: number) =>
      `this thread converts ${type} to f64 first: it reads ${bytes} and writes 8 bytes per sample`;
    expect((await engine.explain({ samples: 9, axis, type: "i64" })).host).toEqual([says("i64", 8)]);
    const turns = circular(8, 24);
    expect((await engine.explain({ samples: 9, axis: turns, type: "f32" })).host).toEqual([says("f32", 4)]);
    expect((await engine.explain({ samples: 9, axis: turns, type: "u8" })).host).toEqual([]);
    expect((await engine.explain({ samples: 0, axis, type: "i64" })).host).toEqual([]);
    await engine.close();
    await using other = await openEngine();
    const columns = [{ type: "u8", axis } as const, { type: "u64", axis } as const];
    expect((await other.explain({ samples: 9, columns })).host).toEqual([says("u64", 8)]);
  });

  it("of weights: where the device has no sums, this thread adds them up, unless an algorithm is named", async () => {
    const { engine } = await open();
    const alone = await engine.explain({ samples: 1000, axis, weights: "f64" });
    expect([alone.plan, alone.host]).toEqual([
      null,
      [
        "this thread finds the cells and cuts the weights into limbs: it reads 9 bytes per sample, and adds them up in its own memory",
      ],
    ]);
    const named = { samples: 1000, axis, weights: "f64", algorithm: "weighted-fixed-point" } as const;
    const says = "fake has no weighted sums yet: open a backend that lists weighted algorithms, such as cpu";
    expect(await engine.supports(named)).toBe(says);
    expect(await rejectionOf(engine.explain(named))).toMatchObject({
      code: "ERR_UNSUPPORTED",
      message: says,
    });
    await engine.close();
    await using other = await openEngine();
    const { host, plan, axes } = await other.explain({ samples: 1000, axis, weights: "f64" });
    expect([plan!.kind, axes, host]).toEqual([
      "sums",
      [axis],
      [
        "this thread finds the cells and cuts the weights into limbs: it reads 9 bytes per sample, and cpu adds up each limb",
      ],
    ]);
  });

  it("with accumulate has the same plan, and states where counts are until they are taken", async () => {
    const stay = () => ({ accumulator: () => expect.unreachable() });
    for (const [fake, says] of [
      [{}, "each call copies its counts to the host, which adds them up"],
      [{ more: stay }, "counts stay on the device until they are taken"],
    ] as const) {
      const { engine, backend } = await open(fake);
      const plain = await engine.explain({ samples: 9, axis });
      const { text, ...rest } = await engine.explain({ samples: 9, axis, accumulate: true });
      expect({ ...rest, text: plain.text }).toEqual(plain);
      expect(text.split("\n")).toContain(says);
      expect(plain.text).not.toContain(says);
      expect((await engine.explain({ samples: 0, axis, accumulate: true })).text).not.toContain(says);
      expect(backend.record).toEqual(["open"]);
      await engine.close();
    }
  });

  it("with these properties undefined equals a request without them", async () => {
    const { engine } = await open();
    const plain = await engine.supports({ samples: 9, axis });
    expect(plain).toMatchObject({ algorithm: "per-lane", bins: 64, channels: 1, samples: 9, type: "u8" });
    const none = { mask: false, by: undefined, weights: undefined, segments: undefined, accumulate: false };
    expect(await engine.supports({ samples: 9, axis, columns: undefined, ...none })).toEqual(plain);
    await engine.close();
  });

  it("has the axis that histogram would use, or states that the data would decide it", async () => {
    await using engine = await openEngine();
    const data = Uint16Array.from({ length: 99 }, (_, i) => 700 * i);
    for (const options of [{ axis }, { bins: 7 }, { bins: 7, range: [3, 90] as const }, { bins: 65_536 }]) {
      const { axes, plan } = await engine.explain({ type: "u16", samples: 99, ...options });
      const counted = await engine.histogram(data, options);
      expect(axes).toEqual([counted.axis]);
      expect(plan).toEqual(counted.plan);
    }
    for (const ask of ["supports", "explain"] as const) {
      const error = await rejectionOf(engine[ask]({ type: "f32", samples: 1, bins: 4 }));
      expect(error).toMatchObject({ code: "ERR_AXIS" });
      expect(error.message).toContain("a request has no data, so their range is not known");
    }
  });

  it("of columns has their axes, also those from JSON, which the caller may change", async () => {
    await using engine = await openEngine();
    const edges = variable([0, 1, 4, 9]);
    const given = JSON.parse(JSON.stringify(edges));
    const { axes, plan } = await engine.explain({ samples: 5, columns: [{ type: "f64", axis: given }] });
    given.edges[1] = 2;
    expect(axes).toEqual([edges]);
    expect(plan).toMatchObject({ kind: "cells", columns: [{ type: "f64", lowering: "keys" }] });
  });

  it.each<[string, Anything, string, string]>([
    ["nothing", undefined, "ERR_INPUT", "an object for a request"],
    ["an array", [], "ERR_INPUT", "an object for a request"],
    ["no samples", {}, "ERR_INPUT", "for samples but received undefined"],
    ["part of a sample", { samples: 1.5 }, "ERR_INPUT", "for samples but received 1.5"],
    ["fewer than none", { samples: -1 }, "ERR_INPUT", "for samples but received -1"],
    ["another type", { samples: 1, type: "f8" }, "ERR_INPUT", "one of u8, i8"],
    ["five channels", { samples: 1, channels: 5 }, "ERR_INPUT", "for channels but received 5"],
    ["channels in words", { samples: 1, channels: "all" }, "ERR_INPUT", 'for channels but received "all"'],
    [
      "more channels than a pixel has",
      { samples: 1, channels: 3, interleaved: 2 },
      "ERR_INPUT",
      "interleaved (2)",
    ],
    [
      "a channel that a pixel has not",
      { samples: 1, channels: [3], interleaved: 3 },
      "ERR_INPUT",
      "from 0 to 2",
    ],
    ["a list of channels without a pixel", { samples: 1, channels: [1] }, "ERR_INPUT", "from 0 to 0"],
    ["a channel twice", { samples: 1, channels: [1, 1], interleaved: 3 }, "ERR_INPUT", "each only once"],
    ["five samples a pixel", { samples: 1, interleaved: 5 }, "ERR_INPUT", "for interleaved but received 5"],
    ["no channel", { samples: 1, channels: 0 }, "ERR_INPUT", "for channels but received 0"],
    ["another algorithm", { samples: 1, algorithm: "fastest" }, "ERR_UNSUPPORTED", '"fastest"'],
    ["a wrong parameter", { samples: 1, algorithm: "trish", k: 64 }, "ERR_INPUT", "for k but received 64"],
    ["another's", { samples: 1, algorithm: "global", k: 3 }, "ERR_INPUT", "expected no k for global"],
    ["a parameter beside auto", { samples: 1, k: 3 }, "ERR_INPUT", "expected no k"],
    ["an axis beside bins", { samples: 1, axis, bins: 3 }, "ERR_INPUT", "axis"],
    [
      "no axis",
      { samples: 1, axis: 5 },
      "ERR_AXIS",
      "an axis, such as integer(start, stop) or regular(bins, lo, hi),",
    ],
    ["a mask that is no switch", { samples: 1, mask: "yes" }, "ERR_INPUT", "bytes or bits for mask"],
    ["accumulate that is none", { samples: 1, accumulate: 1 }, "ERR_INPUT", "true or false for accumulate"],
    ["integer weights", { samples: 1, weights: "i32" }, "ERR_INPUT", "f32 or f64 for weights"],
    ["weights themselves", { samples: 1, weights: [1] }, "ERR_INPUT", "f32 or f64 for weights"],
    ["segments of none", { samples: 1, segments: { every: 0 } }, "ERR_INPUT", "for segments.every"],
    ["segments of no size", { samples: 1, segments: {} }, "ERR_INPUT", "but received none"],
    ["segments that are a number", { samples: 1, segments: 5 }, "ERR_INPUT", "an object for segments"],
    ["by a name", { samples: 1, by: "class" }, "ERR_INPUT", "an object for by"],
    ["by nothing's type", { samples: 1, by: { groups: 2 } }, "ERR_INPUT", "for by.type"],
    ["by no number", { samples: 1, by: { type: "u8" } }, "ERR_INPUT", "for by.groups"],
    ["columns of none", { samples: 1, columns: [] }, "ERR_INPUT", "at least 1 columns"],
    ["columns that are one", { samples: 1, columns: { type: "u8", axis } }, "ERR_INPUT", "for columns"],
    ["a column of no type", { samples: 1, columns: [{ type: "q", axis }] }, "ERR_INPUT", "columns[0].type"],
    ["a column without an axis", { samples: 1, columns: [{ type: "u8" }] }, "ERR_AXIS", "for axis"],
    ...(["type", "channels", "interleaved", "axis", "bins", "range"] as const).map(
      (name): [string, Anything, string, string] => [
        `columns beside ${name}`,
        {
          samples: 1,
          columns: [{ type: "u8", axis }],
          [name]: { type: "u8", channels: 1, interleaved: 1, axis, bins: 2, range: [0, 1] }[name],
        },
        "ERR_INPUT",
        `expected either columns or ${name} but received both`,
      ],
    ),
  ])("%s is refused", async (_, request, code, says) => {
    await using engine = await openEngine();
    for (const ask of ["supports", "explain"] as const) {
      const error = await rejectionOf(engine[ask](request));
      expect(error.code).toBe(code);
      expect(error.message).toContain(says);
    }
  });
});

describe("explain", () => {
  it.each(cpu().algorithms.map(({ slug }) => slug))("%s on cpu: plan, launch and text", async (algorithm) => {
    await using engine = await openEngine();
    const request = { algorithm, type: "i16", axis, samples: 12_345, channels: 2 } as const;
    const { plan, launch, text, ...rest } = await engine.explain(request);
    expect(rest).toEqual({
      backend: "cpu",
      device: "1 JavaScript thread",
      algorithm,
      axes: [axis],
      host: [],
    });
    expect(plan).toEqual(await engine.supports(request));
    expect(plan).toMatchObject({ algorithm, type: "i16", bins: 64, samples: 12_345, channels: 2 });
    const isLoop = algorithm === "sequential";
    expect(launch).toEqual(isLoop ? { kernel: "loop" } : { kernel: "simulation", chunkSamples: 65_536 });
    expect(Object.isFrozen(launch)).toBe(true);
    expect(text.split("\n")).toEqual([
      "cpu, 1 JavaScript thread",
      describePlan(plan),
      ...(isLoop ? ["kernel: loop"] : ["kernel: simulation", "chunkSamples: 65536"]),
    ]);
    const data = Int16Array.from({ length: 2 * 12_345 }, (_, i) => i % 64);
    const [first] = await engine.histograms({ data, channels: 2 }, { algorithm, axis });
    expect(first!.plan).toEqual(plan);
  });

  it("of some channels of a pixel prepares the same job as histograms", async () => {
    const { engine, backend } = await open();
    const request = { samples: 9, channels: [2, 0], interleaved: 4, axis };
    expect((await engine.explain(request)).plan).toMatchObject({ channels: 2 });
    expect(backend.prepared).toMatchObject([{ interleaved: 4, channels: [2, 0] }]);
    await engine.explain({ samples: 9, channels: 2, interleaved: 4, axis });
    expect(backend.prepared.at(-1)).toMatchObject({ interleaved: 4, channels: [0, 1] });
    await engine.close();
  });

  it("uses the algorithm that auto would choose, with its parameters in effect", async () => {
    await using engine = await openEngine();
    expect((await engine.explain({ samples: 4 })).algorithm).toBe("sequential");
    const { plan, text } = await engine.explain({ samples: 4, algorithm: "trish", k: 9 });
    expect(plan.parameters).toEqual({ k: 9, rowSums: "pairs", reduce: "tables" });
    expect(text).toContain(", k 9, rowSums pairs, reduce tables\n");
  });

  it("prints everything that a device reports", async () => {
    const launch = { blocks: 4, tables: [1, 2], cache: { kind: "l2", shared: true }, kernel: "count" };
    const { engine } = await open({
      preparers: { channels: () => ({ launch, count: () => Promise.reject(new Error("not counted")) }) },
    });
    const found = await engine.explain({ samples: 9, axis });
    expect(found.launch).toBe(launch);
    expect(found.text.split("\n").slice(2)).toEqual([
      "blocks: 4",
      "tables: [1,2]",
      'cache: {"kind":"l2","shared":true}',
      "kernel: count",
    ]);
    await engine.close();
  });

  it("does not use a device that has nothing to count", async () => {
    const { engine, backend } = await open();
    const none = await engine.explain({ samples: 0, axis });
    expect(none.launch).toEqual({});
    expect(none.text).toMatch(/\nno samples: the device counts nothing$/);
    const constant = await engine.explain({ type: "u32", samples: 9, axis: regular(4, -9, -1) });
    expect(constant.launch).toEqual({});
    expect(constant.plan.lowering).toBe("constant");
    expect(constant.text).toMatch(/\nall samples have the same code: the device counts nothing$/);
    expect(backend.prepared).toEqual([]);
    await engine.close();
  });

  it("fails with the sentence of supports if there is no plan, and with the error of a device", async () => {
    const { engine } = await open({
      refuses: (of) => ("bins" in of && of.bins === 3 ? "three is too many" : null),
    });
    const error = await rejectionOf(engine.explain({ algorithm: "global", samples: 1, bins: 3 }));
    expect(error).toMatchObject({
      code: "ERR_UNSUPPORTED",
      algorithm: "global",
      message: "three is too many",
    });
    await engine.close();
    const failing = await open({
      algorithms: named("global"),
      preparers: {
        channels: () => {
          throw new TypeError("no such kernel");
        },
      },
    });
    await expect(failing.engine.explain({ samples: 1, axis })).rejects.toThrow("no such kernel");
    expect(typeof (await failing.engine.supports({ samples: 1, axis }))).toBe("object");
    await failing.engine.close();
  });

  it("states why an algorithm has no kernel here, with the algorithm's own sentence if it has one", async () => {
    const { engine } = await open();
    expect(await engine.supports({ algorithm: "sequential", samples: 1 })).toBe(
      "sequential runs on one CPU thread, in core's own backend",
    );
    expect(await engine.supports({ algorithm: "trish", samples: 1 })).toBe(
      "fake has no kernel for trish; it has global, per-lane",
    );
    await engine.close();
  });
});

it("errors name the backend, and a closed engine rejects requests", async () => {
  const engine = await openEngine();
  const wrong = await rejectionOf(engine.explain({ samples: -1 }));
  expect(wrong).toMatchObject({ code: "ERR_INPUT", backend: "cpu" });
  await engine.close();
  expect(await rejectionOf(engine.explain({ samples: 1 }))).toMatchObject({
    code: "ERR_UNAVAILABLE",
    backend: "cpu",
  });
});
