import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { edgesOf, integer, regular, variable } from "../src/axis/axis.ts";
import { openEngine } from "../src/engine/open.ts";
import type { SampleType } from "../src/input/sample-types.ts";
import { ReadableHistogram as Histogram } from "../src/result/reading.ts";
import { arrayOf, expectError, rejectionOf } from "./helpers.ts";

vi.mock("../src/axis/axis.ts", { spy: true });

const engine = await openEngine();
afterAll(() => engine.close());

describe("a result's edges", () => {
  beforeEach(() => {
    vi.mocked(edgesOf).mockClear();
  });

  it("are built on first access, and only once", async () => {
    await engine.histogram(Uint8Array.of(1, 2));
    vi.mocked(edgesOf).mockClear();
    const plain = await engine.histogram(Uint8Array.of(1, 2));
    const weighted = await engine.histogram(Uint8Array.of(1, 2), { weights: [1, 2] });
    expect(edgesOf).not.toHaveBeenCalled();
    for (const result of [plain, weighted]) {
      vi.mocked(edgesOf).mockClear();
      expect(result.edges).toHaveLength(257);
      expect(result.edges).toBe(result.edges);
      expect(edgesOf).toHaveBeenCalledTimes(1);
    }
  });

  it("belong to each result and may be modified", async () => {
    const axis = regular(4, 0, 1);
    const input = { data: Float32Array.of(0.1, 0.2, 0.3, 0.4), channels: 2 };
    const [left, right] = await engine.histograms(input, { axis });
    left!.edges.fill(-1);
    expect([...right!.edges]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...(await engine.histogram(Float32Array.of(1), { axis })).edges]).toEqual([...right!.edges]);
    const [one, other] = [0, 0].map(() => new Histogram(axis, "u8", left!));
    one!.edges.fill(9);
    expect(other!.edges[4]).toBe(1);
  });

  it("are kept when a result is spread or cloned", async () => {
    const plain = await engine.histogram(Uint8Array.of(1), { axis: integer(0, 3) });
    const weighted = await engine.histogram(Uint8Array.of(1), { axis: integer(0, 3), weights: [2] });
    for (const result of [plain, weighted]) {
      expect([...structuredClone(result).edges]).toEqual([0, 1, 2, 3]);
      expect([...{ ...result }.edges]).toEqual([0, 1, 2, 3]);
      expect(Object.keys(result)).toContain("edges");
    }
  });

  it.each([
    ["u8", integer(-3, 2), [-3, -2, -1, 0, 1, 2]],
    ["f64", variable([-1, 0.1, 7]), [-1, 0.1, 7]],
    ["f32", regular(2, 0.1, 0.3), [0.1, 0.2, 0.3].map(Math.fround)],
    ["f64", regular(2, -1, 1), [-1, 0, 1]],
  ] as const)("are those of %s over an axis, number %#", async (type: SampleType, axis, edges) => {
    const samples = arrayOf(type, [0]);
    expect([...(await engine.histogram(samples, { axis })).edges]).toEqual(edges);
    expect([...(await engine.histogram(samples, { axis, weights: [1] })).edges]).toEqual(edges);
  });
});

it("equal edges are found before anything is counted, and when a result is created by hand", async () => {
  const narrow = regular(2, 1, 1 + 2 ** -23);
  for (const weights of [{}, { weights: [] }]) {
    const error = await rejectionOf(engine.histogram(new Float32Array(0), { axis: narrow, ...weights }));
    expect(error).toMatchObject({ code: "ERR_AXIS" });
  }
  const counts = { counts: new Float64Array(2), underflow: 0, overflow: 0, nan: 0 };
  expectError(
    () => new Histogram(narrow, "f32", counts),
    "ERR_AXIS",
    "distinct edges; use a wider range, or bins up to",
  );
  const written = new Histogram(narrow, "f64", counts).toJSON();
  const json = { ...written, axes: [{ ...written.axes[0], writer_info: { polybin: { type: "f32" } } }] };
  expectError(() => Histogram.fromJSON(json), "ERR_AXIS", "distinct edges; use a wider range, or bins up to");
});
