import { category, openEngine } from "@polybin/core";
import { expect, test } from "vitest";
import type { Counted } from "../src/index.ts";
import {
  bhattacharyya,
  chiSquare,
  correlation,
  earthMovers,
  intersection,
  jensenShannon,
} from "../src/index.ts";
import { bytes, codeOf, stored, vectors } from "./vectors.ts";

interface Case {
  readonly a: string;
  readonly b: string;
  readonly chiSquare: number;
  readonly symmetric: number;
  readonly intersection: number;
  readonly correlation: number;
  readonly bhattacharyya: number;
  readonly jensenShannon: number;
  readonly jensenShannon2: number;
  readonly earthMovers: number;
}

const { cases, different } = vectors<{
  readonly cases: readonly Case[];
  readonly different: { readonly a: string; readonly b: string; readonly earthMovers: number };
}>("distances");

const near = (found: number, expected: number, relative = 1e-12): void =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(expected)));

test.for(cases)("$a and $b, as OpenCV and SciPy", (one) => {
  const [a, b] = [stored(one.a), stored(one.b)];
  near(chiSquare(a, b), one.chiSquare);
  near(chiSquare(a, b, { symmetric: true }), one.symmetric);
  expect(intersection(a, b)).toBe(one.intersection);
  near(correlation(a, b), one.correlation);
  // OpenCV takes the roots in single precision.
  near(bhattacharyya(a, b), one.bhattacharyya, 1e-6);
  near(jensenShannon(a, b), one.jensenShannon);
  near(jensenShannon(a, b, { base: 2 }), one.jensenShannon2);
  near(earthMovers(a, b), one.earthMovers);
});

test("the earth mover's distance between different bins, as SciPy", () => {
  near(earthMovers(stored(different.a), stored(different.b)), different.earthMovers);
});

const DISTANCES = { chiSquare, jensenShannon, bhattacharyya, earthMovers };

test("a histogram has distance 0 from itself", () => {
  const scene = stored("scene");
  for (const [name, call] of Object.entries(DISTANCES)) expect(call(scene, scene), name).toBeCloseTo(0, 7);
  expect(correlation(scene, scene)).toBeCloseTo(1, 12);
  expect(intersection(scene, scene)).toBe(96 * 64);
});

test("histograms without a common bin are as far apart as can be", () => {
  const [a, b] = [bytes({ 10: 4 }), bytes({ 30: 2 })];
  expect(earthMovers(a, b)).toBe(20);
  expect(bhattacharyya(a, b)).toBe(1);
  expect(jensenShannon(a, b, { base: 2 })).toBe(1);
  expect(intersection(a, b)).toBe(0);
});

test("samples outside the bins are cells of their own, unless flow is false", () => {
  const a: Counted = { counts: [1, 2], edges: [0, 1, 2], underflow: 3 };
  const b: Counted = { counts: [1, 2], edges: [0, 1, 2] };
  expect(intersection(a, a)).toBe(6);
  expect(intersection(a, b)).toBe(3);
  expect(chiSquare(a, b)).toBe(3);
  expect(chiSquare(a, b, { flow: false })).toBe(0);
  expect(codeOf(() => earthMovers(a, b))).toBe("ERR_INPUT");
  expect(earthMovers(a, b, { flow: false })).toBe(0);
});

test("empty histograms", () => {
  const [none, one] = [bytes({}), bytes({ 3: 1 })];
  expect(jensenShannon(none, one)).toBeNaN();
  expect(earthMovers(none, one)).toBeNaN();
  expect(bhattacharyya(none, one)).toBe(1);
  expect(correlation(none, one)).toBe(1);
  expect([chiSquare(none, one), intersection(none, one)]).toEqual([0, 0]);
});

test("categories are the same if their values are", async () => {
  await using engine = await openEngine();
  const counted = (values: readonly string[]): Promise<Counted> =>
    engine.histogram(Uint8Array.of(0, 1, 1, 9), { axis: category(values) });
  const [a, b] = [await counted(["cat", "dog"]), await counted(["cat", "cow"])];
  expect(intersection(a, a)).toBe(4);
  expect(codeOf(() => intersection(a, b))).toBe("ERR_AXIS");
  expect(codeOf(() => earthMovers(a, a))).toBe("ERR_AXIS");
});

test("wrong input", () => {
  const one = bytes({ 3: 1 });
  const other = { ...one, edges: Array.from({ length: 257 }, (_, i) => i + 1) };
  for (const call of [chiSquare, intersection, correlation, bhattacharyya, jensenShannon]) {
    expect(codeOf(() => call(one, other))).toBe("ERR_AXIS");
    expect(codeOf(() => call(one, { counts: [1], edges: [0, 1] }))).toBe("ERR_AXIS");
    expect(codeOf(() => call(one, bytes({ 1: -1 })))).toBe("ERR_INPUT");
    expect(codeOf(() => call(one, one, { flwo: true } as object))).toBe("ERR_INPUT");
    expect(codeOf(() => call(one, one, { flow: 1 } as object))).toBe("ERR_INPUT");
  }
  expect(codeOf(() => jensenShannon(one, one, { base: 1 }))).toBe("ERR_INPUT");
  expect(codeOf(() => earthMovers(one, { counts: [1], edges: [1, 0] }))).toBe("ERR_AXIS");
});
