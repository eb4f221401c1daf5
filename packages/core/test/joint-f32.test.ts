import { afterAll, describe, expect, it } from "vitest";
import { edgesOf } from "../src/axis/index.ts";
import { cpu, openEngine, regular, variable } from "../src/index.ts";
import vectors from "./vectors/joint-f32.json" with { type: "json" };

const engine = await openEngine({ backends: [cpu()] });
afterAll(() => engine.close());

const columns = vectors.columns.map((values) => Float32Array.from(values));

describe.each(vectors.cases)(`f32 columns in $bins bins as NumPy ${vectors.numpy} counts them`, (vector) => {
  const axes = vector.bins.map((bins, k) => regular(bins, vector.ranges[k]![0]!, vector.ranges[k]![1]!));

  it("over regular axes: a projection is numpy.histogram of its column", async () => {
    const found = await engine.joint(columns, { axes });
    expect([...found.counts]).toEqual(vector.rounded);
    for (const [k, column] of columns.entries()) {
      const one = await engine.histogram(column, { axis: axes[k]! });
      expect([...one.counts]).toEqual(vector.histogram[k]);
      expect([...found.project(k).counts]).toEqual(vector.histogram[k]);
      expect([...found.edges[k]!]).toEqual([...one.edges]);
    }
  });

  it("over its edges in f64: the cells of numpy.histogramdd", async () => {
    const own = vector.edges.map((edges) => variable(edges));
    for (const [k, axis] of axes.entries()) expect(own[k]!.edges).toEqual([...edgesOf(axis, "f64")]);
    expect([...(await engine.joint(columns, { axes: own })).counts]).toEqual(vector.histogramdd);
  });

  it("over the range of the data: both at once", async () => {
    const found = await engine.joint(columns, { axes: vector.bins.map((bins) => ({ bins })) });
    expect([...found.counts]).toEqual(vector.data);
    expect(found.axes.map((axis) => axis.type === "regular" && axis.spacing)).toEqual(["f32", "f32"]);
  });
});

it("the vectors tell the two apart", () => {
  expect(vectors.cases.some(({ rounded, histogramdd }) => String(rounded) !== String(histogramdd))).toBe(
    true,
  );
});
