import { integer, openEngine } from "@polybin/core";
import { expect, test } from "vitest";
import type { JointCounts } from "../src/index.ts";
import { centers, correlationRatio, mutualInformation, normalizedMutualInformation } from "../src/index.ts";
import { codeOf, vectors } from "./vectors.ts";

interface Case extends JointCounts {
  readonly name: string;
  readonly mutualInformation: number;
  readonly correlationRatio: number;
  readonly correlationRatio0: number;
  readonly normalizedMutualInformation?: number;
}

const { cases } = vectors<{ readonly cases: readonly Case[] }>("joint");

test.for(cases)("$name, as SciPy and scikit-image", (one) => {
  expect(mutualInformation(one)).toBeCloseTo(one.mutualInformation, 11);
  expect(mutualInformation(one, { base: 2 })).toBeCloseTo(one.mutualInformation / Math.LN2, 11);
  expect(correlationRatio(one)).toBeCloseTo(one.correlationRatio, 12);
  expect(correlationRatio(one, { of: 0 })).toBeCloseTo(one.correlationRatio0, 12);
  const normalized = one.normalizedMutualInformation;
  if (normalized !== undefined) expect(normalizedMutualInformation(one)).toBeCloseTo(normalized, 12);
});

test("independent columns, and columns that determine each other", () => {
  const independent = { counts: [4, 8, 2, 4], shape: [2, 2] };
  expect(mutualInformation(independent)).toBe(0);
  expect(normalizedMutualInformation(independent)).toBeCloseTo(1, 14);
  expect(correlationRatio(independent)).toBeCloseTo(0, 14);
  const equal = { counts: [4, 0, 0, 4], shape: [2, 2] };
  expect(mutualInformation(equal, { base: 2 })).toBe(1);
  expect(normalizedMutualInformation(equal)).toBe(2);
  expect(correlationRatio(equal)).toBe(1);
});

test("the ratio depends on the values of bins, and not on their scale", () => {
  const joint = { counts: [3, 1, 0, 0, 2, 5], shape: [2, 3] };
  const even = correlationRatio(joint);
  expect(correlationRatio(joint, { values: [10, 30, 50] })).toBeCloseTo(even, 12);
  expect(correlationRatio(joint, { values: [0, 1, 9] })).not.toBeCloseTo(even, 3);
});

test("core's joint histograms, as they are", async () => {
  await using engine = await openEngine();
  const [x, y] = [Uint8Array.of(0, 0, 9, 9, 200), Uint8Array.of(5, 5, 7, 7, 5)];
  const axis = integer(0, 10);
  const joint = await engine.joint([x, y], { axes: [axis, axis] });
  expect(mutualInformation(joint, { base: 2 })).toBe(1);
  expect(normalizedMutualInformation(joint)).toBe(2);
  expect(correlationRatio(joint, { values: centers(joint.project(1)) })).toBe(1);
});

test("nothing to compare", () => {
  const nothing = { counts: new Float64Array(4), shape: [2, 2] };
  const constant = { counts: [0, 5, 0, 0], shape: [2, 2] };
  for (const call of [mutualInformation, normalizedMutualInformation, correlationRatio]) {
    expect(call(nothing)).toBeNaN();
  }
  expect(mutualInformation(constant)).toBe(0);
  expect(normalizedMutualInformation(constant)).toBeNaN();
  expect(correlationRatio(constant)).toBeNaN();
});

test("counts past 2^32 stay exact enough", () => {
  const huge = { counts: [2 ** 50, 0, 0, 2 ** 50], shape: [2, 2] };
  expect(mutualInformation(huge, { base: 2 })).toBe(1);
});

test("wrong input", () => {
  const one = { counts: [1, 2, 3, 4], shape: [2, 2] };
  for (const call of [mutualInformation, normalizedMutualInformation, correlationRatio]) {
    expect(codeOf(() => call({ counts: [1, 2, 3], shape: [2, 2] }))).toBe("ERR_INPUT");
    expect(codeOf(() => call({ counts: [1, -2, 3, 4], shape: [2, 2] }))).toBe("ERR_INPUT");
    expect(codeOf(() => call({ counts: [1, 2], shape: [2] }))).toBe("ERR_AXIS");
    expect(codeOf(() => call({ counts: [1], shape: [1, 1, 1] }))).toBe("ERR_AXIS");
    expect(codeOf(() => call(undefined as unknown as JointCounts))).toBe("ERR_AXIS");
  }
  expect(codeOf(() => mutualInformation(one, { base: 0 }))).toBe("ERR_INPUT");
  expect(codeOf(() => correlationRatio(one, { of: 2 }))).toBe("ERR_INPUT");
  expect(codeOf(() => correlationRatio(one, { values: [1] }))).toBe("ERR_INPUT");
  expect(codeOf(() => correlationRatio(one, { values: [1, Number.NaN] }))).toBe("ERR_INPUT");
});
