import { expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  integer,
  log,
  quantiles,
  regular,
  variable,
} from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";

const AXES: readonly (readonly [Axis, readonly number[]])[] = [
  [integer(-1, 2), [-1, 0, 1, 2]],
  [regular(4, 0, 1), [0, 0.25, 0.5, 0.75, 1]],
  [variable([0, 1, 5]), [0, 1, 5]],
  [log(2, 1, 100), [1, 10, 100]],
  [category([7, 3]), [0, 1, 2]],
  [category(["a"]), [0, 1]],
  [boolean(), [0, 1, 2]],
  [circular(2, 1, 5), [1, 3, 5]],
  [quantiles(2, [1, 2, 3, 4]), [1, 2.5, 4]],
];

it.each(AXES)("%j has edges, those of its histograms", async (axis, edges) => {
  expect(axis.edges).toEqual(edges);
  expect(Object.isFrozen(axis.edges)).toBe(true);
  expect(axis.edges).toBe(axis.edges);
  await using engine = await openEngine();
  const h = await engine.histogram(Float64Array.of(1, 2), { axis });
  expect([...h.edges]).toEqual(edges);
  expect(h.axis.edges).toEqual(edges);
  // Only a variable axis is defined by its edges.
  expect("edges" in JSON.parse(JSON.stringify(axis))).toBe(axis.type === "variable");
  const copy = JSON.parse(JSON.stringify(axis)) as Axis;
  expect((await engine.histogram(Float64Array.of(1), { axis: copy })).axis.edges).toEqual(edges);
});

it("the axes of groups have edges", async () => {
  await using engine = await openEngine();
  const by = { codes: Uint8Array.of(0, 1), groups: 2 };
  const { joint } = await engine.histogram(Uint8Array.of(1, 2), { axis: integer(0, 3), by });
  expect(joint.axes.map((axis) => axis.edges)).toEqual([
    [0, 1, 2],
    [0, 1, 2, 3],
  ]);
});
