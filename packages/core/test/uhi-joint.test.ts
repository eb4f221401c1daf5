import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  dataRange,
  integer,
  regular,
  variable,
} from "../src/axis/index.ts";
import { VERSION } from "../src/base/version.ts";
import { openEngine } from "../src/engine/open.ts";
import { SAMPLE_TYPES, type SampleType } from "../src/input/sample-types.ts";
import { MeanJointHistogram } from "../src/result/mean-joint-histogram.ts";
import {
  ReadableHistogram as Histogram,
  histogramsFromJSON,
  ReadableJointHistogram as JointHistogram,
} from "../src/result/reading.ts";
import { WeightedJointHistogram } from "../src/result/weighted-joint-histogram.ts";
import { expectError } from "./helpers.ts";
import { expectSchema } from "./uhi-schema.ts";

const text = (value: unknown) => JSON.parse(JSON.stringify(value));
const ends = { underflow: false, overflow: false, circular: false };
const of = (storage: object, axes: readonly object[], changes: object = {}) => ({
  uhi_schema: 1,
  axes,
  storage,
  ...changes,
});
const two = { type: "regular", lower: 0, upper: 2, bins: 2, ...ends };
const words = { type: "category_str", categories: ["a", "b", "c"], flow: false };

describe("several axes of another writer", () => {
  it("are read from nested and sparse arrays, with flow in its place", () => {
    const axes = [{ type: "variable", edges: [1, 2, 3, 4], ...ends, underflow: true }, words];
    const values = [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
      [10, 11, 12],
    ];
    const h = JointHistogram.fromJSON(of({ type: "double", values }, axes)) as JointHistogram;
    expect(h).toBeInstanceOf(JointHistogram);
    expect(h.axes).toEqual([variable([1, 2, 3, 4]), category(["a", "b", "c"])]);
    expect(h).toMatchObject({
      shape: [3, 3],
      extents: [6, 3],
      types: ["f64", "f64"],
      masked: 0,
      backend: null,
    });
    expect([...h.counts]).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect([h.at("underflow", 2), h.at("overflow", 2), h.at(0, "overflow")]).toEqual([3, 0, 0]);
    const index = [
      [3, 0, 1],
      [2, 1, 0],
    ];
    const sparse = JointHistogram.fromJSON(of({ type: "int", index, values: [12, 2, 4] }, axes));
    expect([sparse.at(2, 2), sparse.at("underflow", 1), sparse.at(0, 0)]).toEqual([12, 2, 4]);
    expect((sparse as JointHistogram).sum({ flow: true })).toBe(18);
    const none = JointHistogram.fromJSON(of({ type: "int" }, axes)) as JointHistogram;
    expect(none.sum({ flow: true })).toBe(0);
  });

  it("have the flow of boost-histogram's axes", () => {
    const axes = [
      { ...two, circular: true, overflow: true },
      { type: "boolean" },
      { type: "category_int", categories: [5, -2], flow: true },
      { ...two, writer_info: { "boost-histogram": { orig_type: "Integer" } } },
    ];
    const row = (n: number) => [
      [
        [n, 0],
        [0, 0],
        [0, 1],
      ],
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ];
    const h = JointHistogram.fromJSON(of({ type: "int", values: [row(1), row(2), row(3)] }, axes));
    expect(h.axes).toEqual([circular(2, 0, 2), boolean(), category([5, -2]), integer(0, 2)]);
    expect(h.at("overflow", 0, 0, 0)).toBe(3);
    expect(h.at(0, 0, "overflow", 1)).toBe(1);
    expect(h.toJSON().axes[3]).toMatchObject(axes[3]!);
    expectSchema({ ...text(h) });
  });

  it("of sums and means are the classes of those", () => {
    const values = [
      [0.5, 1, 2],
      [-1, 0, 4],
    ];
    const variances = values.map((row) => row.map(Math.abs));
    const sums = JointHistogram.fromJSON(of({ type: "weighted", values, variances }, [two, words]));
    expect(sums).toBeInstanceOf(WeightedJointHistogram);
    expect(sums.at(1, 2)).toEqual({ count: null, sum: 4, sumOfSquares: 4 });
    const doubles = JointHistogram.fromJSON(of({ type: "double", values }, [two, words]));
    expect(doubles.at(0, 0)).toEqual({ count: null, sum: 0.5, sumOfSquares: null });
    const unknown = { metadata: { _variance_known: false } };
    const whole = of({ type: "double", values: [[1, 2, 3], values[1]] }, [two, words], unknown);
    expect(JointHistogram.fromJSON(whole)).toBeInstanceOf(WeightedJointHistogram);
    const counts = [
      [1, 0, 2],
      [3, 1, 1],
    ];
    const undefinedOnes = [
      [null, null, 1],
      [2, null, null],
    ];
    const means = JointHistogram.fromJSON(
      of({ type: "mean", counts, values, variances: undefinedOnes }, [two, words]),
    );
    expect(means).toBeInstanceOf(MeanJointHistogram);
    expect(means.at(1, 0)).toEqual({ sum: 3, sumOfSquares: null, mean: -1, variance: 2 });
    expect(means.at("nan", 0)).toEqual({
      sum: 0,
      sumOfSquares: null,
      mean: Number.NaN,
      variance: Number.NaN,
    });
    expectSchema(text(means));
    expect(JointHistogram.fromJSON(text(means))).toEqual(means);
    const weighted = {
      type: "weighted_mean",
      sum_of_weights: counts,
      sum_of_weights_squared: counts,
      values,
      variances: undefinedOnes,
    };
    const both = JointHistogram.fromJSON(of(weighted, [two, words])) as MeanJointHistogram;
    expect([...both.means]).toEqual(values.flat());
    expect([...both.sums]).toEqual(counts.flat());
    expect(both.variances[4]).toBeNaN();
    expectSchema(text(both));
    expect(text(both).storage).toEqual(weighted);
  });

  it("keep metadata, notes and unknown keys, also of the axes that remain", () => {
    const notes = { metadata: { label: "t" }, writer_info: { hist: { name: "x" } }, unit: "s" };
    const json = of(
      {
        type: "int",
        values: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      [{ ...two, ...notes }, words],
      {
        metadata: { title: "one" },
        writer_info: { hist: { version: "2" } },
        later: 1,
      },
    );
    const h = JointHistogram.fromJSON(json) as JointHistogram;
    expect(h.metadata).toEqual({ title: "one" });
    expect(h.toJSON()).toMatchObject({
      metadata: { title: "one" },
      writer_info: { hist: { version: "2" } },
      later: 1,
    });
    expect(h.toJSON().axes[0]).toMatchObject(notes);
    const one = h.project(0).toJSON();
    expect(one.axes[0]).toMatchObject(notes);
    expect(JointHistogram.fromJSON(text(h)).toJSON()).toEqual(h.toJSON());
  });

  it("are refused with the reason", () => {
    const wrong = (storage: object, ...parts: readonly string[]) =>
      expectError(() => JointHistogram.fromJSON(of(storage, [two, words])), "ERR_INPUT", ...parts);
    const rows = (...values: unknown[]) => ({ type: "int", values });
    wrong(rows([1, 2, 3]), "2, flow bins included, for storage.values.length", "1 of");
    wrong(rows([1, 2, 3], [1, 2]), "3, flow bins included, for storage.values[1].length", "2 of");
    wrong(rows([1, 2, 3], 4), "an array of numbers for storage.values[1]", "4 of");
    wrong(rows([1, 2, 3], [1, [2], 3]), "storage.values[1][1]");
    wrong(rows([1, 2, 3], [1, -2, 3]), "storage.values[1][1]", "-2");
    const sparse = (index: unknown, values: unknown) => ({ type: "int", index, values });
    wrong(sparse([[0]], [1]), "2 arrays of indices, one per axis, for storage.index");
    wrong(sparse([[0, 1], [0]], [1, 2]), "2, as storage.index[0] has, for storage.index[1].length");
    wrong(sparse([[2], [0]], [1]), "from 0 to 1 for storage.index[0][0]", "2 of");
    wrong(sparse([[0], [3]], [1]), "from 0 to 2 for storage.index[1][0]", "3 of");
    wrong(
      sparse(
        [
          [0, 0],
          [1, 1],
        ],
        [1, 2],
      ),
      "each index once for storage.index[0][1]",
    );
    const one = of({ type: "int" }, [two]);
    expectError(
      () => JointHistogram.fromJSON(one),
      "ERR_UNSUPPORTED",
      "several axes, or none",
      "Histogram.fromJSON",
    );
    const both = of({ type: "int" }, [two, words]);
    expectError(() => Histogram.fromJSON(both), "ERR_UNSUPPORTED", "one axis", "JointHistogram.fromJSON");
    expectError(() => JointHistogram.fromJSON(null), "ERR_INPUT", "an object for histogram");
    const noted = (polybin: object, storage: object = { type: "int" }) =>
      of(storage, [two, words], { writer_info: { polybin } });
    for (const cells of ["0 1", "99 1", "x 1", "5", 7, "1.5 2"]) {
      expectError(() => JointHistogram.fromJSON(noted({ cells })), "ERR_INPUT", "writer_info.polybin.cells");
    }
    expectError(
      () => JointHistogram.fromJSON(noted({ masked: -1 })),
      "ERR_INPUT",
      "writer_info.polybin.masked",
    );
    const sums = { type: "double" };
    const few = noted({ weighted: true, counts: "1 2" }, sums);
    expectError(() => JointHistogram.fromJSON(few), "ERR_INPUT", "6 whole numbers separated by spaces");
  });

  it("are read from files of named histograms", () => {
    const json = { a: of({ type: "int" }, [two, words]), b: of({ type: "int", values: [1, 2] }, [two]) };
    const { a, b } = histogramsFromJSON(json);
    expect(a).toBeInstanceOf(JointHistogram);
    expect(b).toBeInstanceOf(Histogram);
    const wrong = { a: of({ type: "int", values: [1] }, [two, words]) };
    expectError(() => histogramsFromJSON(wrong), "ERR_INPUT", "a.storage.values");
  });
});

describe("what polybin writes", () => {
  const count = fc.oneof(fc.constant(0), fc.maxSafeNat());
  const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const size = double.map(Math.abs);
  const axis = fc.constantFrom<Axis>(
    integer(-2, 1),
    regular(2, -0.5, 0.25),
    regular(3, 0, 1, { closed: false }),
    dataRange(2, "f32", Math.fround(0.1), Math.fround(0.7)),
    variable([0, 1, 5]),
    variable([-Infinity, 0, Infinity]),
    variable([-1, 0, Infinity], { closed: false }),
    category([3, -1]),
    category(["x", "y", ""]),
    boolean(),
    circular(2, 24),
  );
  const grid = fc
    .array(fc.record({ axis, type: fc.constantFrom(...SAMPLE_TYPES), flow: fc.boolean() }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((of) => ({
      axes: of.map((one) => one.axis),
      types: of.map((one): SampleType => one.type),
      extents: of.map((one) => one.axis.bins + (one.flow ? 3 : 0)),
    }));
  const rows = (extents: readonly number[], number: fc.Arbitrary<number>) => {
    const length = extents.reduce((product, extent) => product * extent, 1);
    return fc
      .array(number, { minLength: length, maxLength: length })
      .map((cells) => Float64Array.from(cells));
  };

  it("is read as it was: counts over any axes", () => {
    const made = grid.chain(({ axes, types, extents }) =>
      fc
        .tuple(rows(extents, count), fc.nat())
        .map(([cells, masked]) => new JointHistogram(axes, types, { cells, extents, masked })),
    );
    fc.assert(
      fc.property(made, (h) => {
        const json = text(h);
        expectSchema(json);
        const again = JointHistogram.fromJSON(json) as JointHistogram;
        expect(again).toEqual(h);
        expect([again.axes, again.types, again.extents]).toEqual([h.axes, h.types, h.extents]);
        expect(again.cells).toEqual(h.cells);
      }),
    );
  });

  it("is read as it was: sums over any axes", () => {
    const made = grid.chain(({ axes, types, extents }) =>
      fc
        .tuple(
          rows(extents, double),
          fc.option(rows(extents, size)),
          fc.option(rows(extents, count)),
          fc.nat(),
        )
        .map(([sums, sumsOfSquares, counts, masked]) => {
          const cells = { counts, sums, sumsOfSquares };
          return new WeightedJointHistogram(axes, types, { cells, extents, masked });
        }),
    );
    fc.assert(
      fc.property(made, (h) => {
        const json = text(h);
        expectSchema(json);
        const again = JointHistogram.fromJSON(json) as WeightedJointHistogram;
        expect(again).toBeInstanceOf(WeightedJointHistogram);
        expect(again.cells).toEqual(h.cells);
        expect([again.axes, again.types, again.masked]).toEqual([h.axes, h.types, h.masked]);
      }),
    );
  });

  it("has flow where the schema has a place for it, and the rest in notes", () => {
    const cells = Float64Array.from({ length: 10 }, (_, i) => i + 1);
    const h = new JointHistogram([regular(2, 0, 1), boolean()], ["f32", "u8"], {
      cells,
      extents: [5, 2],
      masked: 9,
    });
    expect(h.toJSON()).toEqual({
      uhi_schema: 1,
      writer_info: { polybin: { version: VERSION, masked: 9, cells: "8 9 9 10" } },
      axes: [
        {
          type: "regular",
          lower: 0,
          upper: 1,
          bins: 2,
          underflow: true,
          overflow: true,
          circular: false,
          writer_info: { polybin: { type: "f32", axis: "regular", spacing: "f64", flow: true } },
        },
        { type: "boolean", writer_info: { polybin: { type: "u8", axis: "boolean", flow: false } } },
      ],
      storage: {
        type: "int",
        values: [
          [5, 6],
          [1, 2],
          [3, 4],
          [7, 8],
        ],
      },
    });
  });

  it("has the flow of a category axis in the order of the cells", async () => {
    const engine = await openEngine();
    const [words, x] = [Uint8Array.of(0, 1, 7, 0, 1), Float32Array.of(0, 0.5, Number.NaN, 2, Number.NaN)];
    const axes = [category(["a", "b"]), regular(2, 0, 1)];
    const counted = await engine.joint([words, x], { axes });
    const weighed = await engine.joint([words, x], { axes, weights: [1, 2, 3, 4, 5], squares: true });
    expect(counted.extents).toEqual([3, 5]);
    expect(counted.at("overflow", "nan")).toBe(1);
    expect(counted.toJSON().writer_info.polybin!.cells).toBe("9 1 14 1");
    const part = counted.slice({ 0: [0, 1] });
    expect(part.extents).toEqual([2, 5]);
    for (const h of [counted, part, weighed]) {
      const again = JointHistogram.fromJSON(text(h)) as JointHistogram;
      expect(again.extents).toEqual(h.extents);
      expect(again.cells).toEqual(h.cells);
    }
    await engine.close();
  });

  it("of cells outside the schema is read once each", () => {
    const cells = Float64Array.from({ length: 10 }, (_, i) => i);
    const of = { cells, extents: [5, 2], masked: 0 };
    const json = new JointHistogram([regular(2, 0, 1), boolean()], ["f32", "u8"], of).toJSON();
    for (const cells of ["8 1 8 1", "8 1 9 2 8 0"]) {
      const wrong = { ...json, writer_info: { polybin: { ...json.writer_info.polybin, cells } } };
      expectError(() => JointHistogram.fromJSON(wrong), "ERR_INPUT", "each once with its number");
    }
  });

  it("is finite", () => {
    const cells = { counts: null, sums: Float64Array.of(1, Infinity, 1, 1), sumsOfSquares: null };
    const axes = [integer(0, 2), integer(0, 2)];
    const h = new WeightedJointHistogram(axes, ["u8", "u8"], { cells, extents: [2, 2], masked: 0 });
    expectError(() => h.toJSON(), "ERR_UNSUPPORTED", "finite numbers");
    const outside = new Float64Array(10);
    outside[9] = Number.NaN;
    const wide = new WeightedJointHistogram(axes, ["f32", "u8"], {
      cells: { ...cells, sums: outside },
      extents: [5, 2],
      masked: 0,
    });
    expectError(() => wide.toJSON(), "ERR_UNSUPPORTED", "finite numbers");
  });
});
