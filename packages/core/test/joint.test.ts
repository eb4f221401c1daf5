import { describe, expect, it } from "vitest";
import type { CellsInputs, CellsJob, CellsPart, PreparedCells } from "../src/backend/index.ts";
import { category, circular, cpu, integer, openEngine, regular } from "../src/index.ts";
import { RunReader, samplesOf } from "../src/input/index.ts";
import { plainCellFinder } from "../src/lowering/index.ts";
import { type Fake, FakeBackend, named, rejectionOf } from "./helpers.ts";

const axes = [regular(8, 0, 1), integer(0, 5)] as const;
const n = 1000;
const x = Float32Array.from({ length: n }, (_, i) => (i % 11) / 10);
const y = Uint8Array.from({ length: n }, (_, i) => i % 7);

/** Counts a job as its plan states, in the places of the plan. */
function honest({ columns, plan }: CellsJob, inputs: CellsInputs): CellsPart {
  const cells = new Uint32Array(inputs.samples);
  for (const [k, { lowering, interleaved, channel }] of columns.entries()) {
    const find = plainCellFinder(plan.columns[k]!, lowering);
    new RunReader(samplesOf(inputs.columns[k]!)).each(0, inputs.samples, (array, at, samples) => {
      const run = array.subarray(at, at + samples);
      find(run, channel, interleaved, cells);
    });
  }
  const counts = new Float64Array(plan.cells);
  for (const cell of cells) counts[cell]!++;
  return { cells: counts, masked: 0, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
}

/** An engine on a fake GPU that counts several columns. */
async function fake(change: Partial<PreparedCells> = {}, device: Partial<Fake> = {}) {
  const jobs: CellsJob[] = [];
  const cells = (job: CellsJob): PreparedCells => {
    jobs.push(job);
    return { launch: { kernel: "fake" }, count: async (inputs) => honest(job, inputs), ...change };
  };
  const backend = new FakeBackend({
    algorithms: named("global", "fused", "trish"),
    preparers: { cells },
    ...device,
  });
  return { engine: await openEngine({ backend }), jobs };
}

describe("a joint histogram on a device", () => {
  it("has the cells of core's own backend, although the device orders them by rank", async () => {
    const { engine, jobs } = await fake();
    await using own = await openEngine({ backend: cpu() });
    const found = await engine.joint([x, y], { axes });
    const expected = await own.joint([x, y], { axes });
    expect(jobs[0]!.plan.columns).toMatchObject([{ by: "rank" }, { by: "raw" }]);
    expect(found.cells).toEqual(expected.cells);
    expect(found.algorithm).toBe("fused");
    await engine.close();
  });

  it("is planned and prepared once per shape", async () => {
    const { engine, jobs } = await fake();
    for (let i = 0; i < 3; i++) await engine.joint([x, y], { axes });
    expect(jobs).toHaveLength(1);
    await engine.joint([x, y], { axes: [regular(8, 0, 1), integer(0, 6)] });
    await engine.joint([x.subarray(1), y.subarray(1)], { axes });
    expect(jobs).toHaveLength(3);
    await engine.close();
  });

  it("keeps categories apart that are counted over the same interval", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const up = await engine.joint([y, y], { axes: [category([1, 2]), integer(0, 7)] });
    const down = await engine.joint([y, y], { axes: [category([2, 1]), integer(0, 7)] });
    expect(up.at(0, 1)).toBe(down.at(1, 1));
    expect(up.at(0, 1)).toBeGreaterThan(0);
    expect(up.at(0, 2)).toBe(0);
  });

  it("may load its code first, and is asked again after it has failed", async () => {
    let asked = 0;
    const { engine } = await fake(
      {},
      {
        preparers: {
          async cells(job) {
            asked++;
            if (asked === 1) throw new Error("offline");
            return { launch: {}, count: async (inputs) => honest(job, inputs) };
          },
        },
      },
    );
    await expect(engine.joint([x, y], { axes })).rejects.toThrow("offline");
    expect((await engine.joint([x, y], { axes })).sum({ flow: true })).toBe(n);
    await engine.joint([x, y], { axes });
    expect(asked).toBe(2);
    await engine.close();
  });

  it.each<[string, (of: CellsPart) => CellsPart]>([
    ["a sample less", (of) => ({ ...of, cells: of.cells.map((count, i) => (i === 9 ? count + 1 : count)) })],
    [
      "a negative count",
      (of) => ({ ...of, cells: of.cells.map((count, i) => (i === 0 ? -1 : i === 1 ? count + 1 : count)) }),
    ],
    ["other cells", (of) => ({ ...of, cells: of.cells.subarray(1) })],
    ["masked samples without a mask", (of) => ({ ...of, masked: 1 })],
    ["a number of masked samples that is none", (of) => ({ ...of, masked: -1 })],
  ])("is discarded with %s", async (_, change) => {
    const { engine } = await fake(
      {},
      {
        preparers: { cells: (job) => ({ launch: {}, count: async (inputs) => change(honest(job, inputs)) }) },
      },
    );
    const error = await rejectionOf(engine.joint([x, y], { axes }));
    expect(error).toMatchObject({ code: "ERR_MISCOUNT", backend: "fake", algorithm: "fused" });
    await engine.close();
  });

  it("is counted by cells that this thread finds where a device has no kernel for cells", async () => {
    const { engine } = await fake({}, { preparers: {} });
    const found = await engine.joint([x, y], { axes });
    await using other = await openEngine({ backend: cpu() });
    expect(found.cells).toEqual((await other.joint([x, y], { axes })).cells);
    expect(found.plan).toMatchObject({ kind: "channels", type: "u32" });
    await engine.close();
  });

  it("is refused with a sentence where a device refuses the plan", async () => {
    const refusing = await fake({}, { refuses: ({ algorithm }) => `not ${algorithm} today` });
    const columns = axes.map((axis, k) => ({ type: (["f32", "u8"] as const)[k]!, axis }));
    const found = await refusing.engine.supports({ columns, samples: 5 });
    expect(found).toContain("not fused today");
    expect(await refusing.engine.supports({ columns, samples: 5, algorithm: "global" })).toBe(
      "not global today",
    );
    expect(await refusing.engine.supports({ columns, samples: 5, algorithm: "per-lane" })).toBe(
      "fake has no kernel for per-lane; it has global, fused, trish",
    );
    await refusing.engine.close();
  });

  it("never reaches the device with a constant lowering, nor without samples", async () => {
    const { engine, jobs } = await fake();
    const far = Uint32Array.of(1, 2, 3);
    const below = await engine.joint([far, far], { axes: [integer(-9, -4), regular(4, 0, 4)] });
    expect(jobs[0]!.columns.map(({ lowering }) => lowering.kind)).toEqual(["direct", "keys"]);
    expect(below.at("overflow", 2)).toBe(1);
    const none = await engine.joint([new Uint8Array(0), new Float64Array(0)], { axes: [axes[1], axes[0]] });
    expect(none.sum({ flow: true })).toBe(0);
    await engine.close();
  });
});

describe("a counter of several columns", () => {
  const columns = [
    { type: "f32", axis: axes[0] },
    { type: "u8", axis: axes[1] },
  ] as const;

  it("counts as engine.joint does, one by one and all together", async () => {
    const jobs: CellsJob[] = [];
    const { engine } = await fake(
      {},
      {
        preparers: {
          cells(job) {
            jobs.push(job);
            return {
              launch: {},
              count: async (inputs) => honest(job, inputs),
            };
          },
        },
      },
    );
    const expected = await engine.joint([x, y], { axes });
    const counter = await engine.prepare({ columns });
    expect((await counter.count([x, y])).cells).toEqual(expected.cells);
    const half = [x.subarray(n / 2), y.subarray(n / 2)] as const;
    const empty = [x.subarray(n), y.subarray(n)] as const;
    const all = await counter.countAll([[x, y], half, { columns: [x, y] }, empty, [x, y]]);
    expect(all.map((one) => one.sum({ flow: true }))).toEqual([n, n / 2, n, 0, n]);
    expect(all[4]!.cells).toEqual(expected.cells);
    await engine.close();
  });

  it("takes a mask and a list with each input, on a backend without countAll", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const counter = await engine.prepare({ columns, timings: true });
    const mask = Uint8Array.from(y, (value) => value % 2);
    const where = Uint32Array.of(3, 3, 999);
    const all = await counter.countAll([
      { columns: [x, y], mask },
      { columns: [x, y], where },
    ]);
    const masked = await engine.joint([x, y], { axes, mask });
    expect(all[0]!.cells).toEqual(masked.cells);
    expect(all[0]!.masked).toBe(masked.masked);
    expect(all[1]!.sum({ flow: true })).toBe(3);
    expect(all[1]!.timings).not.toBeNull();
  });

  it("refuses other inputs, and options that it does not know", async () => {
    await using engine = await openEngine({ backend: cpu() });
    const counter = await engine.prepare({ columns });
    for (const [inputs, says] of [
      [[x], "an array of 2 for columns but received 1"],
      [[y, x], "f32 for the type of column 0"],
      [[x, y.subarray(1)], "1000, as column 0 has"],
      [[x, { data: y, channels: 2 }], "1 for the channels of column 1"],
      [{ columns: [x, y], by: 3 }, "no by for a counter without by"],
      [5, "an object for an input"],
    ] as const) {
      const error = await rejectionOf(counter.count(inputs as never));
      expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining(says) });
    }
    for (const [options, code] of [
      [{ columns: [] }, "ERR_INPUT"],
      [{ columns: "two" }, "ERR_INPUT"],
      [{ columns, mask: "bits" }, "ERR_INPUT"],
      [{ columns: [columns[0], { type: "u8" }] }, "ERR_AXIS"],
      [{ columns: [columns[0], { type: "u8", axis: axes[1], channel: 1 }] }, "ERR_INPUT"],
      [{ columns: [columns[0], { type: "u9", axis: axes[1] }] }, "ERR_INPUT"],
      [{ columns, algorithm: "fast" }, "ERR_UNSUPPORTED"],
    ] as const) {
      expect(await rejectionOf(engine.prepare(options as never))).toMatchObject({ code });
    }
  });
});

describe("a joint request", () => {
  const columns = [
    { type: "u8", axis: integer(0, 256) },
    { type: "f32", axis: regular(10, 0, 1) },
  ] as const;

  it("is explained with the device's part of its plan", async () => {
    const { engine } = await fake();
    const by = { type: "u16", groups: 3 } as const;
    const { plan, text, axes: over } = await engine.explain({ columns, samples: 1000, mask: "bits", by });
    expect(plan).toMatchObject({ algorithm: "fused", mask: "bits", listed: false, cells: 5 * 256 * 13 });
    expect(over).toHaveLength(3);
    expect(text.split("\n")).toEqual([
      "fake, a fake",
      expect.stringContaining("fused: 16640 cells (5 code x 256 raw x 13 rank)"),
      "kernel: fake",
    ]);
    expect(text).toContain("a mask of bits");
    await engine.close();
  });

  it("of an algorithm of few cells is refused with its limit", async () => {
    const { engine } = await fake();
    expect(await engine.supports({ columns, samples: 9, algorithm: "trish" })).toBe(
      "trish counts at most 256 cells and the request has 3328",
    );
    const few = [
      { type: "u8", axis: regular(8, 0, 256) },
      { type: "u8", axis: regular(4, 0, 256) },
    ] as const;
    const found = await engine.supports({ columns: few, samples: 9, algorithm: "trish" });
    expect(found).toMatchObject({ algorithm: "trish", cells: 32, staged: true });
    await engine.close();
  });

  it.each([
    [{ columns: 3, samples: 1 }, "ERR_INPUT", "an array of columns"],
    [{ columns: [], samples: 1 }, "ERR_INPUT", "at least 1 columns"],
    [{ columns, samples: -1 }, "ERR_INPUT", "for samples"],
    [{ columns, samples: 1, mask: 3 }, "ERR_INPUT", "bytes or bits for mask"],
    [{ columns, samples: 1, where: 3 }, "ERR_INPUT", "true or false for where"],
    [{ columns, samples: 1, by: { type: "f32", groups: 2 } }, "ERR_INPUT", "an integer type for by.type"],
    [{ columns, samples: 1, by: { type: "u8", groups: 0 } }, "ERR_INPUT", "by.groups"],
    [{ columns, samples: 1, bins: 3 }, "ERR_INPUT", "either columns or bins"],
    [
      { columns: [...columns, ...columns, ...columns], samples: 1, by: { type: "u8", groups: 2 } },
      "ERR_LIMIT",
      "7",
    ],
  ] as const)("%j is refused", async (request, code, says) => {
    await using engine = await openEngine({ backend: cpu() });
    const error = await rejectionOf(engine.supports(request as never));
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
  });
});

describe("the limit on cells", () => {
  it("counts the device's cells, because a narrow circle has more cells than bins", async () => {
    await using engine = await openEngine({ backends: [cpu()] });
    const i16 = new Int16Array(10);
    const circle = circular(6, 3);
    const request = engine.joint([i16, i16], { axes: [circle, circle] });
    expect(await rejectionOf(request)).toMatchObject({ code: "ERR_LIMIT" });
  });
});
