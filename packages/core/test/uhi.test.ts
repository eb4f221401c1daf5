import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Axis, boolean, category, circular, integer, regular, variable } from "../src/axis/index.ts";
import { VERSION } from "../src/base/version.ts";
import { MeanHistogram } from "../src/result/mean-histogram.ts";
import { noCounts } from "../src/result/merge.ts";
import {
  ReadableHistogram as Histogram,
  histogramsFromJSON,
  ReadableWeightedHistogram as WeightedHistogram,
} from "../src/result/reading.ts";
import { expectError } from "./helpers.ts";
import { expectSchema } from "./uhi-schema.ts";

/** An axis of three bins as other writers have it. */
const axis = {
  type: "regular",
  lower: 0,
  upper: 3,
  bins: 3,
  underflow: false,
  overflow: false,
  circular: false,
};
const flow = { ...axis, underflow: true, overflow: true };
const of = (storage: object, changes: object = {}) => ({
  uhi_schema: 1,
  axes: [axis],
  storage,
  ...changes,
});

function counted(json: unknown): Histogram {
  const read = Histogram.fromJSON(json);
  expect(read).toBeInstanceOf(Histogram);
  return read as Histogram;
}

function weighted(json: unknown): WeightedHistogram {
  const read = Histogram.fromJSON(json);
  expect(read).toBeInstanceOf(WeightedHistogram);
  return read as WeightedHistogram;
}

function means(json: unknown): MeanHistogram {
  const read = Histogram.fromJSON(json);
  expect(read).toBeInstanceOf(MeanHistogram);
  return read as MeanHistogram;
}

describe("counts of another writer", () => {
  it("are read into the right bins, because a sparse storage has its own order", () => {
    const sparse = of({ type: "int", index: [[2, 1, 0]], values: [30, 20, 10] });
    expect([...counted(sparse).counts]).toEqual([10, 20, 30]);
    expect(counted(sparse)).toMatchObject({
      type: "f64",
      axis: regular(3, 0, 3),
      underflow: 0,
      overflow: 0,
      nan: 0,
    });
  });

  it.each([
    [false, false, [5, 6, 7], [5, 6, 7], [0, 0]],
    [true, false, [4, 5, 6, 7], [5, 6, 7], [4, 0]],
    [false, true, [5, 6, 7, 8], [5, 6, 7], [0, 8]],
    [true, true, [4, 5, 6, 7, 8], [5, 6, 7], [4, 8]],
  ])("dense and sparse, underflow %s, overflow %s", (underflow, overflow, values, counts, [below, above]) => {
    const axes = [{ ...axis, underflow, overflow }];
    const last = values.length - 1;
    for (const storage of [
      { type: "int", values },
      { type: "double", values },
      // Backwards, and without the first one, which is 0 then.
      { type: "int", index: [values.map((_, i) => last - i)], values: values.toReversed() },
      { type: "double", index: [values.map((_, i) => last - i)], values: values.toReversed() },
    ]) {
      const h = counted(of(storage, { axes }));
      expect([...h.counts]).toEqual(counts);
      expect(h).toMatchObject({ underflow: below, overflow: above, nan: 0, backend: null });
    }
    const partial = counted(of({ type: "int", index: [[last]], values: [9] }, { axes }));
    expect([partial.underflow, ...partial.counts, partial.overflow]).toEqual(
      overflow ? [0, 0, 0, 0, 9] : [0, 0, 0, 9, 0],
    );
  });

  it.each(["int", "double"])("of an empty %s storage are 0", (type) => {
    for (const storage of [
      { type },
      { type, values: null, index: null },
      { type, index: [[]], values: [] },
    ]) {
      expect([...counted(of(storage)).counts]).toEqual([0, 0, 0]);
    }
  });

  it("may be boost-histogram's default: doubles, its own notes, null for unset values", () => {
    const json = of(
      { type: "double", values: [0, 1, 2, 0, 3] },
      {
        writer_info: { "boost-histogram": { version: "1.8.0" } },
        axes: [{ ...flow, lower: 0.0, upper: 3.0, metadata: null }],
        metadata: { _variance_known: true, metadata: null },
      },
    );
    const h = counted(json);
    expect([...h.counts]).toEqual([1, 2, 0]);
    expect(h).toMatchObject({ underflow: 0, overflow: 3, metadata: { _variance_known: true } });
    expect(h.axisMetadata).toEqual({});
    expect(h.toJSON()).toMatchObject({
      metadata: { _variance_known: true },
      writer_info: { "boost-histogram": { version: "1.8.0" }, polybin: { version: VERSION } },
      storage: { type: "int", values: [0, 1, 2, 0, 3] },
    });
    expect(h.toJSON().metadata).not.toHaveProperty("metadata");
  });

  it("have boost-histogram's integer axes", () => {
    const notes = { writer_info: { "boost-histogram": { orig_type: "Integer", growth: true } } };
    const h = counted(of({ type: "int", values: [1, 2, 3] }, { axes: [{ ...axis, ...notes }] }));
    expect(h.axis).toEqual(integer(0, 3));
    expect(h.toJSON().axes[0]).toMatchObject(notes);
  });

  it("keep metadata, other writers' notes and keys that the schema does not know", () => {
    const json = of(
      { type: "int", values: [1, 2, 3] },
      {
        metadata: { title: "one", run: 7, done: false },
        writer_info: { hist: { version: "2" }, polybin: { version: "0", ancient: 1 } },
        later: { nested: [1, null] },
        axes: [
          {
            ...axis,
            type: "variable",
            edges: [0, 1, 2, 9],
            metadata: { label: "x" },
            writer_info: { hist: { name: "y" } },
            unit: "mm",
          },
        ],
      },
    );
    const h = counted(json);
    expect(h.metadata).toEqual({ title: "one", run: 7, done: false });
    expect(h.axisMetadata).toEqual({ label: "x" });
    const other = counted(
      of({ type: "int", values: [1, 2, 3] }, { axes: json.axes, metadata: { title: "two" } }),
    );
    for (const result of [h, counted(JSON.parse(JSON.stringify(h))), h.merge(other)]) {
      const written = result.toJSON();
      expect(written).toMatchObject({
        metadata: { title: "one", run: 7, done: false },
        writer_info: { hist: { version: "2" } },
        later: { nested: [1, null] },
      });
      expect(written.writer_info.polybin).toEqual({ version: VERSION });
      expect(written.axes[0]).toMatchObject({
        metadata: { label: "x" },
        writer_info: { hist: { name: "y" }, polybin: { type: "f64", axis: "variable", flow: true } },
        unit: "mm",
      });
      expect(written.axes[0]).not.toHaveProperty("lower");
    }
    // They are copies: what the caller does to the object afterwards is the caller's.
    (json as unknown as { later: { nested: number[] } }).later.nested[0] = 9;
    expect(h.toJSON()).toMatchObject({ later: { nested: [1, null] } });
  });
});

describe("sums of another writer", () => {
  it("weighted, dense: sums and their variances, counts unknown", () => {
    const json = of(
      { type: "weighted", values: [1, 2.5, -3, 0, 4], variances: [1, 2, 3, 0, 16] },
      { axes: [flow] },
    );
    const h = weighted(json);
    expect([...h.sums]).toEqual([2.5, -3, 0]);
    expect([...h.sumsOfSquares!]).toEqual([2, 3, 0]);
    expect(h).toMatchObject({
      flowSums: { underflow: 1, overflow: 4, nan: 0 },
      flowSumsOfSquares: { underflow: 1, overflow: 16, nan: 0 },
      ...{ counts: null, flow: null, underflow: null, overflow: null, nan: null },
      ...{ limbs: null, limbsOfSquares: null, backend: null, plan: null },
    });
  });

  it("weighted, sparse and empty", () => {
    const h = weighted(of({ type: "weighted", index: [[2, 0]], values: [0.5, 1], variances: [0.25, 1] }));
    expect([...h.sums]).toEqual([1, 0, 0.5]);
    expect([...h.sumsOfSquares!]).toEqual([1, 0, 0.25]);
    const none = weighted(of({ type: "weighted" }));
    expect([...none.sums, ...none.sumsOfSquares!]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it.each([
    ["a fraction", [1, 0.5, 2], {}],
    ["a negative number", [1, -1, 2], {}],
    ["more than a count may be", [1, 2 ** 53, 2], {}],
    ["whole numbers that boost-histogram says are sums", [1, 5, 2], { metadata: { _variance_known: false } }],
  ])("double with %s", (_, values, changes) => {
    const h = weighted(of({ type: "double", values }, changes));
    expect([...h.sums]).toEqual(values);
    expect(h).toMatchObject({ sumsOfSquares: null, flowSumsOfSquares: null, counts: null });
    expect(weighted(h.toJSON()).sums).toEqual(h.sums);
  });

  it("are read as sums on request, even whole numbers", () => {
    const h = WeightedHistogram.fromJSON(of({ type: "double", values: [1, 2, 3] }));
    expect([...h.sums]).toEqual([1, 2, 3]);
    // Once they are sums they stay so.
    expect([...weighted(JSON.parse(JSON.stringify(h))).sums]).toEqual([1, 2, 3]);
    for (const type of ["int", "mean", "weighted_mean"]) {
      expectError(
        () => WeightedHistogram.fromJSON(of({ type })),
        "ERR_UNSUPPORTED",
        "Histogram.fromJSON",
        `"${type}"`,
      );
    }
  });
});

describe("means of another writer", () => {
  const mean = {
    type: "mean",
    counts: [0, 2, 3.5, 0, 1],
    values: [0, 5, -1, 0, 9],
    variances: [0, 0.5, 2, null, 0],
  };

  it("mean: counts, means, variances", () => {
    const h = means(of(mean, { axes: [flow], metadata: { name: "profile" } }));
    expect([...h.sums]).toEqual([2, 3.5, 0]);
    expect([...h.means]).toEqual([5, -1, 0]);
    expect([...h.variances]).toEqual([0.5, 2, Number.NaN]);
    expect(h).toMatchObject({
      sumsOfSquares: null,
      underflow: { sum: 0, sumOfSquares: null, mean: 0, variance: 0 },
      overflow: { sum: 1, sumOfSquares: null, mean: 9, variance: 0 },
      metadata: { name: "profile" },
    });
    expect([h.sum(), h.sum({ flow: true }), h.bins, h.edges[3]]).toEqual([5.5, 6.5, 3, 3]);
    expect([...h.cumulative()]).toEqual([2, 5.5, 5.5]);
    const again = means(JSON.parse(JSON.stringify(h)));
    expect(again).toEqual(h);
    expect(again.toJSON().storage).toEqual(mean);
  });

  it("weighted_mean, sparse: a missing variance is NaN", () => {
    const json = of({
      type: "weighted_mean",
      index: [[1]],
      sum_of_weights: [3.75],
      sum_of_weights_squared: [8],
      values: [5.5],
      variances: [0.25],
    });
    const h = means(json);
    expect([...h.sums]).toEqual([0, 3.75, 0]);
    expect([...h.sumsOfSquares!]).toEqual([0, 8, 0]);
    expect([...h.means]).toEqual([0, 5.5, 0]);
    expect([...h.variances]).toEqual([Number.NaN, 0.25, Number.NaN]);
    expect(h.underflow).toEqual({ sum: 0, sumOfSquares: 0, mean: 0, variance: Number.NaN });
    expect(h.toJSON().storage).toEqual({
      type: "weighted_mean",
      sum_of_weights: [0, 0, 3.75, 0, 0],
      sum_of_weights_squared: [0, 0, 8, 0, 0],
      values: [0, 0, 5.5, 0, 0],
      variances: [null, null, 0.25, null, null],
    });
    expect(means(JSON.parse(JSON.stringify(h)))).toEqual(h);
  });

  it.each(["mean", "weighted_mean"])("of an empty %s storage", (type) => {
    const h = means(of({ type }));
    expect([...h.sums, ...h.means]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(h.variances[0]).toBe(type === "mean" ? 0 : Number.NaN);
  });

  it("that are infinite are kept, and not silently written as null", () => {
    const h = means(of({ ...mean, variances: [0, -Infinity, 0, 0, 0] }, { axes: [flow] }));
    expect(h.variances[0]).toBe(-Infinity);
    expectError(() => h.toJSON(), "ERR_UNSUPPORTED", "variances", "-Infinity");
  });
});

describe("a file of named histograms", () => {
  const file = {
    ages: of({ type: "int", values: [1, 2, 3] }),
    "a.weight": of({ type: "weighted", values: [1, 2, 3], variances: [1, 2, 3] }),
    profile: of({ type: "mean" }),
  };

  it("is read by name", () => {
    const all = histogramsFromJSON(JSON.parse(JSON.stringify(file)));
    expect(Object.keys(all)).toEqual(["ages", "a.weight", "profile"]);
    expect(all.ages).toBeInstanceOf(Histogram);
    expect(all["a.weight"]).toBeInstanceOf(WeightedHistogram);
    expect(all.profile).toBeInstanceOf(MeanHistogram);
    expect(histogramsFromJSON(JSON.parse(JSON.stringify(all)))).toEqual(all);
    expect(histogramsFromJSON({})).toEqual({});
  });

  it("may have any name", () => {
    const named = JSON.parse(`{"__proto__":${JSON.stringify(file.ages)}}`);
    expect(Object.entries(histogramsFromJSON(named))).toMatchObject([["__proto__", { bins: 3 }]]);
  });

  it("is distinguished from a single histogram", () => {
    expectError(() => Histogram.fromJSON(file), "ERR_INPUT", "1 for uhi_schema", "histogramsFromJSON");
    expectError(() => histogramsFromJSON(file.ages), "ERR_INPUT", "Histogram.fromJSON");
    expectError(() => histogramsFromJSON([file.ages]), "ERR_INPUT", "an object for histograms");
    expectError(() => histogramsFromJSON({ one: 5 }), "ERR_INPUT", "an object for one");
  });

  it("names the invalid one", () => {
    const wrong = { ...file, last: of({ type: "int", values: [1, -2, 3] }) };
    expectError(() => histogramsFromJSON(wrong), "ERR_INPUT", "last.storage.values[1]", "-2");
    const schema = { ...file, last: { ...file.ages, uhi_schema: 2 } };
    expectError(() => histogramsFromJSON(schema), "ERR_INPUT", "1 for last.uhi_schema");
  });
});

const int = (storage: object) => of({ type: "int", ...storage });
const A_COUNT = "a whole number from 0 to 9007199254740991 for ";
const own = (polybin: unknown) => of({ type: "int", values: [1, 2, 3] }, { writer_info: { polybin } });
const sums = (polybin: unknown) => of({ type: "double", values: [1, 2, 0.5] }, { writer_info: { polybin } });

describe("malformed JSON is refused:", () => {
  it.each([
    [null, "an object for histogram", "null"],
    [5, "an object for histogram", "5 of type number"],
    ["{}", "an object for histogram", "type string"],
    [[], "an object for histogram", "a list of 0"],
    [{}, "1 for uhi_schema", "undefined"],
    [of({}, { uhi_schema: 2 }), "1 for uhi_schema", "2 of type number"],
    [of({}, { uhi_schema: "1" }), "1 for uhi_schema", '"1"'],
    [of({}, { axes: "x" }), "an array of axes for axes", '"x"'],
    [of({}, { axes: undefined }), "an array of axes for axes", "undefined"],
    [of({}, { axes: [null] }), "an object for axes[0]", "null"],
    [
      of({}, { axes: [{ type: "round" }] }),
      "variable, category_int, category_str, boolean for axes[0].type",
      '"round"',
    ],
    [of({}, { axes: [{ ...axis, underflow: "no" }] }), "true or false for axes[0].underflow", '"no"'],
    [of({}, { axes: [{ ...axis, overflow: undefined }] }), "true or false for axes[0].overflow", "undefined"],
    [of({}, { axes: [{ ...axis, circular: 0 }] }), "true or false for axes[0].circular", "0"],
    [
      of({}, { axes: [{ ...axis, metadata: { a: [] } }] }),
      "true or false for axes[0].metadata.a",
      "a list of 0",
    ],
    [of({}, { metadata: 5 }), "an object for metadata", "5"],
    [of({}, { metadata: { a: { b: 1 } } }), "true or false for metadata.a", "Object"],
    [of({}, { writer_info: 5 }), "an object for writer_info", "5"],
    [of({}, { writer_info: { me: 5 } }), "an object for writer_info.me", "5"],
    [of({}, { writer_info: { me: { a: [] } } }), "true or false for writer_info.me.a", "a list of 0"],
    [of({}, { later: () => 5 }), "JSON for later", "copied"],
    [of({}, { storage: undefined }), "an object for storage", "undefined"],
    [of({ type: "long" }), "one of int, double, weighted, mean, weighted_mean for storage.type", '"long"'],
    [of({ type: "toString" }), "for storage.type", '"toString"'],
    [int({ values: [1, 2, 3], variances: [1, 2, 3] }), "storage of type int", "variances"],
    [int({ index: [[0]] }), "an array of numbers for storage.values", "undefined"],
    [of({ type: "weighted", values: [1, 2, 3] }), "an array of numbers for storage.variances", "undefined"],
    [of({ type: "mean", values: [1, 2, 3] }), "an array of numbers for storage.counts", "undefined"],
    [int({ values: {} }), "an array of numbers for storage.values", "Object"],
    [int({ values: [1, 2] }), "3, flow bins included, for storage.values.length", "2"],
    [int({ values: [1, 2, 3, 4] }), "3, flow bins included, for storage.values.length", "4"],
    [of({ type: "int", values: [1, 2, 3] }, { axes: [flow] }), "5, flow bins included", "3"],
    [
      of({ type: "weighted", values: [1, 2, 3], variances: [1, 2] }),
      "3, flow bins included, for storage.variances",
      "2",
    ],
    [int({ values: [1.5, 2, 3] }), `${A_COUNT}storage.values[0]`, "1.5 of"],
    [int({ values: [1, -1, 3] }), `${A_COUNT}storage.values[1]`, "-1 of"],
    [int({ values: [1, 2, 2 ** 53] }), `${A_COUNT}storage.values[2]`, "9007199254740992 of"],
    [int({ values: ["1", 2, 3] }), `${A_COUNT}storage.values[0]`, "type string"],
    [int({ values: [null, 2, 3] }), `${A_COUNT}storage.values[0]`, "null"],
    [int({ values: [Number.NaN, 2, 3] }), `${A_COUNT}storage.values[0]`, "NaN"],
    [int({ values: [[1], 2, 3] }), `${A_COUNT}storage.values[0]`, "a list of 1"],
    [of({ type: "double", values: [1, null, 3] }), "a finite number for storage.values[1]", "null"],
    [of({ type: "double", values: [1, Number.NaN, 3] }), "a finite number for storage.values[1]", "NaN"],
    [of({ type: "double", values: [1, 2, Infinity] }), "a finite number for storage.values[2]", "Infinity"],
    [
      of({ type: "weighted", values: [1, 2, 3], variances: [1, -2, 3] }),
      "a finite number of at least 0 for storage.variances[1]",
      "-2",
    ],
    [
      of({ type: "mean", counts: [1, null, 1], values: [1, 2, 3], variances: [1, 2, 3] }),
      "a finite number for storage.counts[1]",
      "null",
    ],
    [
      of({ type: "mean", counts: [1, 1, 1], values: [1, "2", 3], variances: [1, 2, 3] }),
      "a number or null for storage.values[1]",
      '"2"',
    ],
    [int({ index: [], values: [] }), "one array of indices", "a list of 0"],
    [int({ index: [0, 1], values: [1, 2] }), "one array of indices", "a list of 2"],
    [int({ index: [[0], [0]], values: [1] }), "one array of indices", "a list of 2"],
    [int({ index: 5, values: [1] }), "one array of indices", "5"],
    [int({ index: [[0, 3]], values: [1, 2] }), "from 0 to 2 for storage.index[0][1]", "3 of"],
    [int({ index: [[0, -1]], values: [1, 2] }), "from 0 to 2 for storage.index[0][1]", "-1 of"],
    [int({ index: [[0.5]], values: [1] }), "from 0 to 2 for storage.index[0][0]", "0.5 of"],
    [int({ index: [["0"]], values: [1] }), "from 0 to 2 for storage.index[0][0]", '"0"'],
    [of({ type: "int", index: [[5]], values: [1] }, { axes: [flow] }), "from 0 to 4", "5 of"],
    [int({ index: [[1, 0, 1]], values: [1, 2, 3] }), "each index once for storage.index[0][2]", "1 of"],
    [int({ index: [[0, 1]], values: [1, 2, 3] }), "2, flow bins included, for storage.values.length", "3"],
    [
      of({}, { axes: [{ ...axis, writer_info: { polybin: { type: "f8" } } }] }),
      "for axes[0].writer_info.polybin.type",
      '"f8"',
    ],
    [own({ masked: -1 }), `${A_COUNT}writer_info.polybin.masked`, "-1"],
    [own({ cells: "5 -1" }), "cells without a place in the schema", '"5 -1"'],
    [own({ cells: "0 1" }), "cells without a place in the schema", '"0 1"'],
    [own(7), "an object for writer_info.polybin", "7"],
    [
      sums({ counts: "1 2 3" }),
      "6 whole numbers separated by spaces for writer_info.polybin.counts",
      '"1 2 3"',
    ],
    [sums({ counts: "0 1 2 x 0 0" }), "6 whole numbers", '"0 1 2 x 0 0"'],
    [sums({ counts: "0 1 2 -3 0 0" }), "6 whole numbers", '"0 1 2 -3 0 0"'],
    [sums({ counts: "0 1  3 0 0" }), "6 whole numbers", '"0 1  3 0 0"'],
    [sums({ counts: "0 1 9007199254740992 3 0 0" }), "6 whole numbers", "9007199254740992"],
    [sums({ counts: 5 }), "6 whole numbers", "5 of"],
    [sums({ cells: "5 x" }), "cells without a place in the schema", '"5 x"'],
    [sums({ limbs: true }), "a finite number for writer_info.polybin.limbs", "true"],
    [sums({ masked: 0.5 }), `${A_COUNT}writer_info.polybin.masked`, "0.5"],
  ])("%#", (json, what, received) => {
    expectError(() => Histogram.fromJSON(json), "ERR_INPUT", what, received);
  });
});

describe("valid JSON that polybin does not support is refused with the reason:", () => {
  it.each([
    [of({ type: "int", values: [1] }, { axes: [] }), "one axis", "0 of"],
    [of({ type: "int", values: [1] }, { axes: [axis, axis] }), "one axis", "2 of"],
    [
      of({}, { axes: [{ ...axis, type: "variable", edges: [0, 1], circular: true }] }),
      "false for an axis of type variable for axes[0].circular",
      "true",
    ],
    [
      of({ type: "int", values: "h/values.npy" }),
      "an array of numbers instead of a path to it for storage.values",
      "h/values.npy",
    ],
    [
      int({ index: "i.npy", values: [1] }),
      "an array of numbers instead of a path to it for storage.index",
      "i.npy",
    ],
    [of({}, { axes: [{ ...axis, type: "variable", edges: "e.npy" }] }), "for axes[0].edges", "e.npy"],
  ])("%#", (json, what, received) => {
    expectError(() => Histogram.fromJSON(json), "ERR_UNSUPPORTED", what, received);
  });
});

describe("axes of other kinds", () => {
  it.each<[object, Axis, number[], object]>([
    [{ type: "category_int", categories: [7, 3], flow: true }, category([7, 3]), [1, 2, 9], { overflow: 9 }],
    [{ type: "category_int", categories: [7, 3], flow: false }, category([7, 3]), [1, 2], { overflow: 0 }],
    [
      { type: "category_str", categories: ["b", "a"], flow: true },
      category(["b", "a"]),
      [1, 2, 9],
      { overflow: 9 },
    ],
    [{ type: "boolean" }, boolean(), [1, 2], { overflow: 0 }],
    [
      { type: "regular", lower: 0, upper: 24, bins: 2, underflow: false, overflow: true, circular: true },
      circular(2, 24),
      [1, 2, 9],
      { overflow: 9 },
    ],
  ])("%#: other writers' are read and written", (json, axis, values, flow) => {
    const h = counted(of({ type: "int", values }, { axes: [json] }));
    expect(h.axis).toEqual(axis);
    expect([...h.counts]).toEqual([1, 2]);
    expect(h).toMatchObject({ underflow: 0, nan: 0, ...flow });
    expect(h.toJSON().axes[0]).toMatchObject({ ...json, ...("flow" in json && { flow: true }) });
  });

  const counts = { counts: Float64Array.of(1, 2, 3), underflow: 4, overflow: 5, nan: 6, masked: 7 };
  it.each<Axis>([
    category([5, -1, 7]),
    category(["x", "", "y"]),
    circular(3, -1, 5),
    regular(3, 0, 1, { closed: false }),
    variable([0, 1, 2, 5], { closed: false }),
    variable([-Infinity, 1, 2, Infinity]),
    variable([0, 1, 2, Infinity], { closed: false }),
  ])("%#: what polybin writes is read again", (axis) => {
    // A category axis has no underflow.
    const flow = axis.type === "category" ? { underflow: 0 } : {};
    const h = new Histogram(axis, "f32", { ...counts, ...flow });
    const json = JSON.parse(JSON.stringify(h));
    expectSchema(json);
    expect(Histogram.fromJSON(json)).toEqual(h);
    expect(counted(json).axis).toEqual(axis);
    const sums = new WeightedHistogram(axis, "f32", {
      counts: counts.counts,
      flow: { underflow: 4, overflow: 5, nan: 6, ...flow },
      sums: Float64Array.of(0.5, 1, 2),
      flowSums: { underflow: 0.25, overflow: 3, nan: 8, ...flow },
      sumsOfSquares: Float64Array.of(1, 2, 3),
      flowSumsOfSquares: { underflow: 0.125, overflow: 3, nan: 8, ...flow },
      limbs: null,
      limbsOfSquares: null,
      masked: 3,
    });
    const written = JSON.parse(JSON.stringify(sums));
    expectSchema(written);
    expect(Histogram.fromJSON(written)).toEqual(sums);
  });

  it("have valid categories", () => {
    const wrong =
      (categories: unknown, type = "category_int") =>
      () =>
        Histogram.fromJSON(of({ type: "int" }, { axes: [{ type, categories, flow: true }] }));
    expectError(wrong(["a"]), "ERR_INPUT", "an array of numbers for axes[0].categories");
    expectError(wrong([1], "category_str"), "ERR_INPUT", "an array of strings for axes[0].categories");
    expectError(wrong("c.npy"), "ERR_INPUT", "axes[0].categories");
    expectError(wrong([1, 1]), "ERR_AXIS", "values[1]");
    expectError(wrong([]), "ERR_AXIS", "values");
  });
});

describe("an invalid axis is refused:", () => {
  it.each([
    [{ ...axis, lower: 4 }, "ERR_AXIS", "hi"],
    [{ ...axis, bins: undefined }, "ERR_AXIS", "bins"],
    [{ ...axis, bins: 0 }, "ERR_AXIS", "bins"],
    [{ ...axis, bins: 65_537 }, "ERR_LIMIT", "65536"],
    [{ ...axis, type: "variable" }, "ERR_AXIS", "edges"],
    [{ ...axis, type: "variable", edges: [1, 0] }, "ERR_AXIS", "edges[1]"],
    [{ ...axis, lower: 1, upper: 1 + 2 ** -52 }, "ERR_AXIS", "3 bins"],
  ] as const)("%#", (wrong, code, what) => {
    expectError(() => Histogram.fromJSON(of({ type: "int" }, { axes: [wrong] })), code, what);
  });

  it("an integer one whose bins are not one per integer", () => {
    const json = JSON.parse(JSON.stringify(new Histogram(integer(0, 3), "u8", noCounts(3))));
    json.axes[0].bins = 2;
    json.storage.values.pop();
    expectError(() => Histogram.fromJSON(json), "ERR_INPUT", "3, one per integer");
  });
});

describe("the written JSON", () => {
  const h = new Histogram(regular(2, -1, 1), "f64", {
    counts: Float64Array.of(5, 6),
    underflow: 1,
    overflow: 2,
    nan: 3,
  });

  it("follows UHI's schema, version 1, with the writer's version", () => {
    expect(h.toJSON()).toEqual({
      uhi_schema: 1,
      writer_info: { polybin: { version: VERSION, cells: "4 3" } },
      axes: [
        {
          ...{ type: "regular", lower: -1, upper: 1, bins: 2 },
          ...{ underflow: true, overflow: true, circular: false },
          writer_info: { polybin: { type: "f64", axis: "regular", spacing: "f64", flow: true } },
        },
      ],
      storage: { type: "int", values: [1, 5, 6, 2] },
    });
    const edges = new Histogram(variable([0, 1, 9]), "u8", noCounts(2)).toJSON();
    expect(edges.axes).toMatchObject([
      { type: "variable", edges: [0, 1, 9], underflow: true, overflow: true, circular: false },
    ]);
    expect(new Histogram(integer(-1, 1), "i8", noCounts(2)).toJSON().axes[0]).toMatchObject({
      ...{ type: "regular", lower: -1, upper: 1, bins: 2 },
    });
  });

  it("has the version of package.json: at a release, change src/base/version.ts with it", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(VERSION).toBe(version);
  });
});
