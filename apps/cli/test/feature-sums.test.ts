import type { SumsPlan } from "@polybin/core/backend";
import { expect, test } from "vitest";
import { FeatureSums } from "../src/weighted/feature-sums.ts";
import { SparseRows } from "../src/weighted/input/sparse.ts";

/** Three features of two documents: one value, two, one. */
function rows() {
  const of = new SparseRows();
  of.begin();
  of.push(4, 1);
  of.push(6, 2);
  of.begin();
  of.push(6, 3);
  of.push(9, 4);
  return of.features();
}

const plan = (features: number) => ({ algorithm: "weighted-sequential", features }) as SumsPlan;

test("features come back as they were added, each with its plan", () => {
  const found = new FeatureSums(rows(), 2, 8, true);
  const [first, second] = [plan(2), plan(1)];
  const added = [
    { edges: [0, 0.5, 1], counts: [1, 1], sums: [3, 4], squares: [9, 16], plan: first },
    { edges: [2, 2.5, 3], counts: [1, 1], sums: [5, 6], squares: [25, 36], plan: second },
    { edges: [-0.5, 0.5], counts: [2], sums: [7], squares: [49], plan: first },
  ];
  for (const { edges, counts, sums, squares, plan } of added) {
    // A table has features of two bins at least.
    const [a, b, c] = [counts, sums, squares].map((of) =>
      Float64Array.from({ length: 2 }, (_, i) => of[i] ?? 0),
    );
    found.push({ index: 0, edges }, { counts: a!, sums: b!, sumsOfSquares: c!, plan });
  }
  expect(found.plans).toEqual([first, second]);
  expect(found.length).toBe(3);
  expect([...found]).toEqual(
    added.map(({ edges, counts, sums, squares, plan }, i) => ({
      index: [4, 6, 9][i],
      edges: Float64Array.from(edges),
      counts: Float64Array.from(counts),
      sums: Float64Array.from(sums),
      sumsOfSquares: Float64Array.from(squares),
      plan,
    })),
  );
});

test("sums that do not fit beside the features are refused before one is added up", () => {
  const features = rows();
  // One value of two documents and a zero, two values of two documents, one and a zero: 2 bins each.
  for (const [squares, needed] of [
    [false, features.bytes + 3 * 20 + 6 * 24],
    [true, features.bytes + 3 * 20 + 6 * 32],
  ] as const) {
    expect(new FeatureSums(features, 2, 8, squares, needed).length).toBe(0);
    const refused = () => new FeatureSums(features, 2, 8, squares, needed - 1);
    expect(refused).toThrow(expect.objectContaining({ code: "ERR_LIMIT" }));
    expect(refused).toThrow(/3 features of up to 8 bins take .* GiB; .* fewer --bins/);
  }
});
