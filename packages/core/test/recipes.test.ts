import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { integer, regular, variable } from "../src/axis/axis.ts";
import { axisBeforehand } from "../src/axis/range.ts";
import { openEngine } from "../src/engine/open.ts";
import { checkOptions, type HistogramOptions } from "../src/engine/options/options.ts";
import { planBy } from "../src/plan/channels-plan.ts";
import { rejectionOf } from "./helpers.ts";

vi.mock("../src/engine/options/options.ts", { spy: true });
vi.mock("../src/axis/range.ts", { spy: true });
vi.mock("../src/plan/channels-plan.ts", { spy: true });

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

const engine = await openEngine();
afterAll(() => engine.close());

const data = Uint8Array.of(1, 2, 3, 4);
const work = () => [checkOptions, axisBeforehand, planBy].map((one) => vi.mocked(one).mock.calls.length);

describe("a call equal to an earlier one", () => {
  beforeEach(() => {
    vi.clearAllMocks();
  });

  const signal = new AbortController().signal;
  it.each<[string, () => HistogramOptions]>([
    ["no options", () => ({})],
    ["an axis", () => ({ axis: integer(0, 9) })],
    ["an axis with edges of its own", () => ({ axis: variable([0, 2, 9]) })],
    ["an axis that came as JSON", () => ({ axis: JSON.parse(JSON.stringify(regular(3, 0, 9))) })],
    ["bins and a range", () => ({ bins: 3, range: [0, 9] })],
    ["edges for bins", () => ({ bins: Float64Array.of(0, 2, 9) })],
    ["an algorithm and its parameter", () => ({ algorithm: "trish", k: 7 })],
    ["a signal and a listener of its own", () => ({ bins: 128, signal, onProgress: () => {} })],
  ])("of %s does not check, lower or plan again", async (_, options) => {
    const first = await engine.histogram(data, options());
    const before = work();
    expect(before[0]).toBeGreaterThan(0);
    const second = await engine.histogram(
      data.map((value) => value + 1),
      options(),
    );
    expect(work()).toEqual(before);
    expect(second.axis).toEqual(first.axis);
    expect(second.plan).toBe(first.plan);
    expect(second.counts).not.toEqual(first.counts);
    expect(second.sum({ flow: true })).toBe(4);
  });

  it("of another size plans, but does not check again", async () => {
    await engine.histogram(data, { bins: 6 });
    const [checks, , plans] = work();
    await engine.histogram(data.subarray(1), { bins: 6 });
    expect(work()[0]).toBe(checks);
    expect(work()[2]).toBeGreaterThan(plans!);
  });
});

describe("options that the caller changes", () => {
  it("count as different content: edges, a range, channels, all options", async () => {
    const edges = [0, 2, 9];
    const axis = { type: "variable", bins: 2, edges };
    const range = [0, 4];
    const channels = [1, 0];
    const options: { bins: number } = { bins: 2 };
    const pair = { data, channels: 2 };
    const ask = async () => [
      [...(await engine.histogram(data, { axis } as unknown as HistogramOptions)).counts],
      [...(await engine.histogram(data, { bins: 2, range } as unknown as HistogramOptions)).counts],
      (await engine.histograms(pair, { channels })).map((h) => h.counts.indexOf(1)),
      (await engine.histogram(data, options)).bins,
    ];
    expect(await ask()).toEqual([[1, 3], [1, 3], [2, 1], 2]);
    expect(await ask()).toEqual([[1, 3], [1, 3], [2, 1], 2]);
    edges[1] = 4;
    range[1] = 8;
    channels.reverse();
    options.bins = 5;
    expect(await ask()).toEqual([[3, 1], [3, 1], [1, 2], 5]);
    edges.push(11);
    axis.bins = 3;
    channels.pop();
    expect((await ask())[0]).toEqual([3, 1, 0]);
    expect((await ask())[2]).toEqual([1]);
  });

  it("count as different content in a typed array of edges, too", async () => {
    const bins = Float64Array.of(0, 2, 9);
    expect([...(await engine.histogram(data, { bins })).counts]).toEqual([1, 3]);
    bins[1] = 4;
    expect([...(await engine.histogram(data, { bins })).counts]).toEqual([3, 1]);
    expect([...(await engine.histogram(data, { bins: [...bins] })).counts]).toEqual([3, 1]);
  });

  it("give each result the axis of its own call", async () => {
    for (const make of [() => regular(4, 0, 9), () => variable([0, 1, 9])]) {
      const [one, other] = [make(), make()];
      for (const axis of [one, other, one]) expect((await engine.histogram(data, { axis })).axis).toBe(axis);
    }
    const zero = await engine.histogram(data, { axis: regular(2, 0, 9) });
    const minus = await engine.histogram(data, { axis: regular(2, -0, 9) });
    expect([zero.axis, minus.axis]).toEqual([regular(2, 0, 9), regular(2, -0, 9)]);
  });

  it("are distinguished even if they look alike", async () => {
    await engine.histogram(data, { bins: 2, range: [0, 9] });
    for (const [options, code] of [
      [{ bins: 2, range: [0, 9, 10] }, "ERR_INPUT"],
      [{ bins: 2, range: { 0: 0, 1: 9, length: 2 } }, "ERR_INPUT"],
      [{ bins: "2", range: [0, 9] }, "ERR_AXIS"],
      [{ bins: 2, rang: [0, 9] }, "ERR_INPUT"],
      [{ bins: 2, range: [0, 9], onProgress: 5 }, "ERR_INPUT"],
      [{ bins: 2, range: [0, 9], signal: 5 }, "ERR_INPUT"],
    ] as Anything[]) {
      for (let i = 0; i < 2; i++)
        expect((await rejectionOf(engine.histogram(data, options))).code).toBe(code);
    }
    await engine.histogram(data, { bins: 2, range: [0, 9], onProgress: () => {} });
    const wrong = { bins: 2, range: [0, 9], onProgress: "x" } as Anything;
    expect((await rejectionOf(engine.histogram(data, wrong))).message).toContain("for onProgress");
    await engine.histogram(data, { axis: integer(0, 4) });
    for (const axis of [null, {}, { type: "integer", start: 0, stop: 4, step: 1 }] as Anything[]) {
      expect((await rejectionOf(engine.histogram(data, { axis }))).code).toBe("ERR_AXIS");
    }
    expect((await engine.histogram(data, { axis: undefined })).bins).toBe(256);
  });

  it("are recognized after other calls, or created again", async () => {
    const all = Array.from({ length: 40 }, (_, i) => i + 1);
    for (let round = 0; round < 2; round++) {
      for (const bins of all) expect((await engine.histogram(data, { bins })).bins).toBe(bins);
      for (const bins of [3, 40, 3, 40, 39]) expect((await engine.histogram(data, { bins })).bins).toBe(bins);
    }
  });
});
