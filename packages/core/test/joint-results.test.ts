import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Axis,
  boolean,
  category,
  circular,
  integer,
  log,
  regular,
  variable,
} from "../src/axis/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { Grouped } from "../src/result/grouped.ts";
import { Histogram as CountedHistogram, type Histogram } from "../src/result/histogram.ts";
import { JointHistogram } from "../src/result/joint-histogram.ts";
import { expectError } from "./helpers.ts";

/** Two axes: x with flow, y without. Cells are 1, 2, 4, … so that every sum of cells is a different number. */
const [x, y] = [regular(3, 0, 1), integer(0, 2)];
const made = (cells: ArrayLike<number> = Array.from({ length: 12 }, (_, i) => 2 ** i), masked = 5) =>
  new JointHistogram([x, y], ["f64", "u8"], { cells: Float64Array.from(cells), extents: [6, 2], masked });
/** The sum of the cells [code of x, code of y]. */
const sum = (...cells: readonly (readonly [number, number])[]) =>
  cells.reduce((total, [i, j]) => total + 2 ** (2 * i + j), 0);
const numbers = ({ counts, underflow, overflow, nan }: Histogram) => [[...counts], underflow, overflow, nan];

describe("cells", () => {
  it("are found by bins and by the names of flow", () => {
    const joint = made();
    expect(joint).toMatchObject({ shape: [3, 2], extents: [6, 2], types: ["f64", "u8"], masked: 5 });
    expect([...joint.counts]).toEqual([1, 2, 4, 8, 16, 32]);
    expect(joint.at(2, 1)).toBe(32);
    expect(joint.at("underflow", 0)).toBe(64);
    expect(joint.at("overflow", 1)).toBe(512);
    expect(joint.at("nan", 1)).toBe(2048);
    expect(joint.at(0, "nan")).toBe(0);
    expect([joint.sum(), joint.sum({ flow: true }), joint.flow]).toEqual([63, 4095, 4032]);
    expect(joint.edges).toEqual([Float64Array.of(0, 1 / 3, 2 / 3, 1), Float64Array.of(0, 1, 2)]);
    expect(joint.counts).toBe(joint.counts);
  });

  it("of axes without flow are the counts", () => {
    const cells = Float64Array.of(1, 2, 3, 4);
    const joint = new JointHistogram([y, y], ["u8", "u8"], { cells, extents: [2, 2], masked: 0 });
    expect(joint.counts).toBe(cells);
    expect(joint.flow).toBe(0);
  });

  it("of a category axis may have a single cell of flow", () => {
    const cells = Float64Array.of(1, 2, 3, 4, 5, 6);
    const axes = [category([5, 7]), y];
    const joint = new JointHistogram(axes, ["i32", "u8"], { cells, extents: [3, 2], masked: 0 });
    expect([joint.at("overflow", 1), joint.at("nan", 0), joint.at(0, 0)]).toEqual([6, 0, 1]);
    expect(numbers(joint.project(0))).toEqual([[3, 7], 0, 11, 0]);
    const wide = new JointHistogram(axes, ["i32", "u8"], {
      cells: Float64Array.from({ length: 10 }, (_, i) => 10 * i),
      extents: [5, 2],
      masked: 0,
    });
    expect([...joint.merge(wide).cells]).toEqual([1, 12, 23, 34, 40, 50, 65, 76, 80, 90]);
    expect(joint.merge(wide).subtract(joint)).toEqual(wide);
    expect(JointHistogram).toBe(joint.constructor);
  });

  it("that do not exist are refused", () => {
    const joint = made();
    for (const wrong of [3, -1, 0.5, "missing", undefined, Number.NaN]) {
      expectError(() => joint.at(wrong as number, 0), "ERR_INPUT", "index 0", "a bin from 0 to 2");
    }
    expectError(() => joint.at(0), "ERR_INPUT", "2, one per axis,", "1 of");
    expectError(() => joint.at(0, 0, 0), "ERR_INPUT", "3 of");
    expectError(() => joint.sum({ flows: true } as never), "ERR_INPUT", "did you mean flow?");
  });
});

describe("a constructor and a difference", () => {
  it("refuse numbers of masked samples that are none", () => {
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expectError(() => made(undefined, wrong), "ERR_INPUT", "for masked");
      const counts = { counts: new Float64Array(3), underflow: 0, overflow: 0, nan: 0, masked: wrong };
      expectError(() => new CountedHistogram(x, "f64", counts), "ERR_INPUT", "for masked");
    }
    expectError(
      () => made(undefined, 2).subtract(made(undefined, 3)),
      "ERR_INPUT",
      "it has 3 samples masked, not at most 2",
    );
  });
});

describe("project and marginal", () => {
  it("add up an axis with and without its flow", () => {
    const joint = made();
    expect(numbers(joint.project(1))).toEqual([[1365, 2730], 0, 0, 0]);
    expect(numbers(joint.marginal(1))).toEqual([[21, 42], 0, 0, 0]);
    expect(numbers(joint.project(0))).toEqual([[3, 12, 48], 192, 768, 3072]);
    expect(joint.project(0)).toMatchObject({ type: "f64", masked: 5, backend: null });
    expect(joint.project(0).axis).toBe(x);
    expect(joint.project(0, 1)).toEqual(joint);
    const turned = joint.project(1, 0);
    expect(turned.axes).toEqual([y, x]);
    expect([...turned.counts]).toEqual([1, 4, 16, 2, 8, 32]);
    expect(turned.at(1, "nan")).toBe(2048);
    expect(turned.project(1, 0)).toEqual(joint);
  });

  it("refuse other axes", () => {
    for (const axes of [[2], [-1], [0, 0], [0.5], [], ["0"]] as number[][]) {
      expectError(() => made().project(...(axes as [number])), "ERR_INPUT", "axes");
      expectError(() => made().marginal(...(axes as [number])), "ERR_INPUT", "axes");
    }
  });

  it("refuse counts that are not exact", () => {
    const joint = made([2 ** 53 - 1, 1, ...new Array<number>(10).fill(0)]);
    expectError(() => joint.project(0), "ERR_LIMIT");
    expectError(() => joint.rebin({ 1: 2 }), "ERR_LIMIT");
  });
});

describe("slice", () => {
  it("keeps ranges of bins, and the others become flow", () => {
    const part = made().slice({ 0: [1, 2] });
    expect(part.extents).toEqual([4, 2]);
    expect([...part.cells]).toEqual(
      [
        [[1, 0]],
        [[1, 1]],
        [
          [0, 0],
          [3, 0],
        ],
        [
          [0, 1],
          [3, 1],
        ],
        [
          [2, 0],
          [4, 0],
        ],
        [
          [2, 1],
          [4, 1],
        ],
        [[5, 0]],
        [[5, 1]],
      ].map((cells) => sum(...(cells as [number, number][]))),
    );
    expect(made().slice({ 0: { lo: 1 / 3, hi: 2 / 3 } })).toEqual(part);
    const narrow = made().slice({ 1: [1, 2] });
    expect(narrow.extents).toEqual([6, 4]);
    expect(narrow.at(0, "underflow")).toBe(1);
    expect(narrow.axes[1]).toEqual(integer(1, 2));
    expect(made().slice({ 1: [0, 2] }).extents).toEqual([6, 2]);
    expect(made().slice({})).toEqual(made());
  });

  it("keeps the samples of one cell of an axis, which it drops", () => {
    expect(numbers(made().slice({ 1: 1 }) as Histogram)).toEqual([[2, 8, 32], 128, 512, 2048]);
    expect(numbers(made().slice({ 0: "nan" }) as Histogram)).toEqual([[1024, 2048], 0, 0, 0]);
    expect(numbers(made().slice({ 1: "nan" }) as Histogram)).toEqual([[0, 0, 0], 0, 0, 0]);
    expect(numbers(made().slice({ 1: 1, 0: [0, 1] }) as Histogram)).toEqual([
      [2],
      128,
      2 + 8 + 32 + 512 - 2,
      2048,
    ]);
  });

  it("refuses other axes, bins and ranges", () => {
    expectError(() => made().slice({ 2: 0 }), "ERR_INPUT", "axes from 0 to 1");
    expectError(() => made().slice({ x: 0 } as never), "ERR_INPUT", '"x"');
    expectError(() => made().slice({ 0: 3 }), "ERR_INPUT", "slices[0]");
    expectError(() => made().slice({ 0: [2, 2] }), "ERR_INPUT");
    expectError(() => made().slice({ 0: [1] as never }), "ERR_INPUT", "[first, end], but received [1]");
    expectError(() => made().slice({ 0: [0, 1, 2] as never }), "ERR_INPUT", "received [0, 1, 2]");
    expectError(() => made().slice({ 0: [] as never }), "ERR_INPUT", "received []");
    expectError(() => made().slice({ 0: { lo: 0.5 } }), "ERR_AXIS", "the nearest is");
    expectError(() => made().slice({ 0: 0, 1: 0 }), "ERR_INPUT", "use at for one cell");
    expectError(() => made().slice(null as never), "ERR_INPUT");
  });
});

describe("rebin, merge, subtract, density and entries", () => {
  it("rebin joins bins of some axes or all", () => {
    expect([...made().rebin({ 1: 2 }).counts]).toEqual([3, 12, 48]);
    expect([...made().rebin({ 0: [0, 1 / 3, 1], 1: 2 }).counts]).toEqual([3, 60]);
    expectError(() => made().rebin(2), "ERR_INPUT", "divides 3 bins");
    expectError(() => made().rebin({ 5: 2 }), "ERR_INPUT", "axes from 0 to 1");
    const square = new JointHistogram([y, y], ["u8", "u8"], {
      cells: Float64Array.of(1, 2, 3, 4),
      extents: [2, 2],
      masked: 0,
    });
    expect([...square.rebin(2).cells]).toEqual([10]);
  });

  it("merge adds up cells, also of other extents, and subtract undoes it", () => {
    const [a, b] = [made(), made(Array.from({ length: 12 }, (_, i) => i))];
    expect(a.merge(b)).toMatchObject({ masked: 10 });
    expect(a.merge(b).subtract(b)).toEqual(a);
    const full = new JointHistogram([x, y], ["f64", "f32"], {
      cells: Float64Array.from({ length: 30 }, (_, i) => i),
      extents: [6, 5],
      masked: 0,
    });
    const both = a.merge(full);
    expect(both.extents).toEqual([6, 5]);
    expect([both.at(1, 1), both.at(1, "nan"), both.at("nan", 0)]).toEqual([8 + 6, 9, 1024 + 25]);
    expectError(() => b.subtract(a), "ERR_INPUT", "in a bin with");
    expectError(() => a.merge(made([1], 0).project(1, 0)), "ERR_AXIS", "x integer");
    expectError(() => a.merge({} as never), "ERR_INPUT", "a JointHistogram");
    const over = (axis: Axis) =>
      new JointHistogram([axis, y], ["u8", "u8"], {
        cells: new Float64Array(axis.bins * 2),
        extents: [axis.bins, 2],
        masked: 0,
      });
    const unlike: readonly (readonly [Axis, Axis, string])[] = [
      [category(["a", "b"]), category(["a", "c"]), "2 bins (a, b) x integer with 2 bins over [0, 2) and"],
      [category([1, 2]), category([2, 1]), "category with 2 bins (1, 2) x "],
      [variable([0, 1, 4]), variable([0, 2, 4]), "over [0, 4] with edge 1 1 x "],
      [
        regular(2, 0, 4),
        regular(2, 0, 4, { closed: false }),
        "over [0, 4] x integer with 2 bins over [0, 2) and regular with 2 bins over [0, 4) x",
      ],
    ];
    for (const [one, other, text] of unlike) {
      expectError(() => over(one).merge(over(other)), "ERR_AXIS", text);
      expectError(
        () => over(one).project(0).merge(over(other).project(0)),
        "ERR_AXIS",
        text.split(" x ")[0]!,
      );
    }
    const long = Array.from({ length: 99 }, (_, i) => i);
    const others = [...long.slice(0, -1), 100];
    expectError(
      () => over(category(long)).merge(over(category(others))),
      "ERR_AXIS",
      "value 98 98",
      "value 98 100",
    );
    expectError(() => made([2 ** 53 - 1, ...new Array<number>(11).fill(0)]).merge(a), "ERR_LIMIT");
  });

  it("density integrates to 1", () => {
    const density = made().density();
    expect(density.reduce((total, one) => total + one / 3, 0)).toBeCloseTo(1, 12);
    expect(density[1]! / density[0]!).toBe(2);
    const uneven = new JointHistogram([variable([0, 1, 4]), variable([0, 2, 3])], ["f64", "f64"], {
      cells: Float64Array.of(1, 1, 1, 1),
      extents: [2, 2],
      masked: 0,
    });
    expect([...uneven.density()]).toEqual([1 / 8, 1 / 4, 1 / 24, 1 / 12]);
  });

  it("entries have the edges of each bin", () => {
    const all = [...made().entries()];
    expect(all.length).toBe(6);
    expect(all[3]).toEqual({ index: [1, 1], x0: [1 / 3, 1], x1: [2 / 3, 2], length: 8 });
    expect(all.map(({ length }) => length)).toEqual([...made().counts]);
  });
});

describe("groups", () => {
  const cells = Float64Array.from({ length: 12 }, (_, i) => i);
  const grouped = () =>
    new Grouped(new JointHistogram([y, x], ["u8", "f64"], { cells, extents: [2, 6], masked: 3 }));

  it("are rows of counts", () => {
    const found = grouped();
    expect(found).toMatchObject({ groups: 2, masked: 3 });
    expect([...found.counts]).toEqual([0, 1, 2, 6, 7, 8]);
    expect(numbers(found.at(1))).toEqual([[6, 7, 8], 9, 10, 11]);
    expect([...found].map(numbers)).toEqual([numbers(found.at(0)), numbers(found.at(1))]);
    expect(numbers(found.total())).toEqual([[6, 8, 10], 12, 14, 16]);
    expect(found.merge(found).at(1).counts[0]).toBe(12);
    expect(found.toJSON()).toEqual(found.joint.toJSON());
    for (const wrong of [-1, 2, 0.5, "0"])
      expectError(() => found.at(wrong as number), "ERR_INPUT", "below 2");
    expectError(() => found.merge([] as never), "ERR_INPUT", "a Grouped");
  });

  it("of several axes are joint histograms", () => {
    const joint = new JointHistogram([y, y, y], ["u8", "u8", "u8"], {
      cells: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      extents: [2, 2, 2],
      masked: 0,
    });
    const found = new Grouped<JointHistogram>(joint);
    expect([...found.at(1).counts]).toEqual([5, 6, 7, 8]);
    expect([...found.total().counts]).toEqual([6, 8, 10, 12]);
    expectError(() => new Grouped(made()), "ERR_INPUT", "groups without flow");
  });
});

describe("of an engine", () => {
  const sample = fc.oneof(
    fc.integer({ min: -3, max: 12 }),
    fc.double({ min: -1, max: 2 }),
    fc.constantFrom(Number.NaN, Infinity, -Infinity),
  );
  const float = fc.constantFrom<Axis>(
    regular(6, 0, 1),
    regular(6, 0.1, 0.7, { closed: false }),
    variable([-1, 0, 0.5, 9]),
    integer(-2, 9),
    log(4, 0.1, 10),
  );
  const cut = fc.tuple(fc.nat(), fc.nat());

  it("project, slice and rebin as the samples would be counted", async () => {
    await using engine = await openEngine();
    const cases = fc.record({
      rows: fc.array(fc.tuple(sample, sample, fc.integer({ min: 0, max: 255 })), { maxLength: 60 }),
      axes: fc.tuple(
        float,
        float,
        fc.constantFrom<Axis>(integer(0, 256), integer(10, 14), regular(8, 0, 256)),
      ),
      cut,
      axis: fc.integer({ min: 0, max: 2 }),
    });
    const check = async ({
      rows,
      axes,
      cut: [from, size],
      axis,
    }: typeof cases extends fc.Arbitrary<infer T> ? T : never) => {
      const columns = [
        Float64Array.from(rows, ([a]) => a),
        Float32Array.from(rows, ([, b]) => b),
        Uint8Array.from(rows, ([, , c]) => c),
      ];
      const joint = await engine.joint(columns, { axes });
      for (const [k, column] of columns.entries()) {
        const one = await engine.histogram(column, { axis: axes[k]! });
        expect(numbers(joint.project(k))).toEqual(numbers(one));
        expect(joint.project(k).axis).toEqual(one.axis);
      }
      const pair = await engine.joint([columns[2]!, columns[0]!], { axes: [axes[2], axes[0]] });
      expect(joint.project(2, 0).merge(pair).subtract(pair)).toEqual(pair.merge(pair).subtract(pair));
      const first = from % axes[axis]!.bins;
      const end = first + 1 + (size % (axes[axis]!.bins - first));
      const part = joint.slice({ [axis]: [first, end] }) as JointHistogram;
      const again = await engine.joint(columns, { axes: part.axes });
      expect(part.merge(again)).toEqual(again.merge(again));
      const wide = joint.rebin({ [axis]: axes[axis]!.bins });
      const all = await engine.joint(columns, { axes: wide.axes });
      expect(wide.merge(all)).toEqual(all.merge(all));
    };
    await fc.assert(fc.asyncProperty(cases, check), { numRuns: 40 });
  });

  it("of other kinds of axes projects onto the histogram of each column", async () => {
    await using engine = await openEngine();
    const values = [5, -1, 7, 5, Number.NaN, Infinity, -Infinity, 0, 26, -3];
    const x32 = Float32Array.from(values);
    const codes = Uint8Array.from(values, (_, i) => i % 5);
    const cases = [
      { axis: category([5, 7]), column: x32 },
      { axis: boolean(), column: x32 },
      { axis: circular(4, 24), column: Int16Array.from(x32) },
    ];
    for (const { axis, column } of cases) {
      const joint = await engine.joint([column, codes], { axes: [axis, category(["a", "b", "c"])] });
      expect(numbers(joint.project(0))).toEqual(numbers(await engine.histogram(column, { axis })));
      const other = await engine.histogram(codes, { axis: category(["a", "b", "c"]) });
      expect(numbers(joint.project(1))).toEqual(numbers(other));
      expect(joint.sum({ flow: true })).toBe(values.length);
    }
  });
});
