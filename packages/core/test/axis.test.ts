import { describe, expect, it } from "vitest";
import {
  checkedAxis,
  dataRange,
  edgesOf,
  integer,
  regular,
  regularSpaced,
  variable,
  wholeRange,
} from "../src/axis/axis.ts";
import { errorOf, expectError } from "./helpers.ts";

describe("edges", () => {
  it("regular ones are NumPy's linspace(0, 1, 11)", () => {
    expect([...edgesOf(regular(10, 0, 1), "f64")]).toEqual([
      0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.6000000000000001, 0.7000000000000001, 0.8, 0.9, 1,
    ]);
  });

  it("for f32 samples they are spaced in f64 and then rounded, for a range that the user gives", () => {
    // np.histogram(np.float32([0.1, 0.7]), 7, (0.1, 0.7))[1]
    expect([...edgesOf(regular(7, 0.1, 0.7), "f32")]).toEqual([
      0.10000000149011612, 0.18571428954601288, 0.27142858505249023, 0.3571428656578064, 0.44285714626312256,
      0.5285714268684387, 0.6142857074737549, 0.699999988079071,
    ]);
  });

  it("for a range found in f32 samples they are spaced in f32", () => {
    // np.histogram(np.float32([0.1, 0.7]), 7)[1]
    const axis = dataRange(7, "f32", Math.fround(0.1), Math.fround(0.7));
    expect(axis.spacing).toBe("f32");
    expect([...edgesOf(axis, "f32")]).toEqual([
      0.10000000149011612, 0.18571427464485168, 0.27142855525016785, 0.357142835855484, 0.44285711646080017,
      0.5285714268684387, 0.6142857074737549, 0.699999988079071,
    ]);
  });

  it("a range found in f64 samples is NumPy's, too", () => {
    // np.histogram([-3.3, 12.7], 5)[1]
    expect([...edgesOf(dataRange(5, "f64", -3.3, 12.7), "f64")]).toEqual([
      -3.3, -0.09999999999999964, 3.1000000000000005, 6.300000000000002, 9.5, 12.7,
    ]);
  });

  it("the last one is exactly hi", () => {
    for (const bins of [1, 3, 7, 49, 1000]) {
      const edges = edgesOf(regular(bins, -0.1, 0.3), "f64");
      expect(edges).toHaveLength(bins + 1);
      expect(edges[0]).toBe(-0.1);
      expect(edges[bins]).toBe(0.3);
    }
  });

  it("integer and variable ones are as given, whatever the samples", () => {
    for (const type of ["u8", "f32", "f64"] as const) {
      expect([...edgesOf(integer(-2, 2), type)]).toEqual([-2, -1, 0, 1, 2]);
      expect([...edgesOf(variable([0.1, 0.2]), type)]).toEqual([0.1, 0.2]);
    }
  });

  it("denormal ranges are spaced as NumPy does, as far as there are numbers", () => {
    const d = 2 ** -1074;
    expect([...edgesOf(regular(3, 0, 3 * d), "f64")]).toEqual([0, d, 2 * d, 3 * d]);
    expect([...edgesOf(regular(2, 0, 5 * d), "f64")]).toEqual([0, 2 * d, 5 * d]);
    // A step that underflows to nothing: NumPy's other formula has edges that fall together, too.
    expectError(() => edgesOf(regular(8, 0, 2 * d), "f64"), "ERR_AXIS", "8 bins of f64", "wider range");
    expectError(() => edgesOf(regular(2, 0, d), "f64"), "ERR_AXIS");
    const e = 2 ** -149;
    expect([...edgesOf(regularSpaced(2, 0, 2 * e, "f32"), "f32")]).toEqual([0, e, 2 * e]);
    expectError(() => edgesOf(regularSpaced(8, 0, 2 * e, "f32"), "f32"), "ERR_AXIS");
  });

  it("that are equal are refused", () => {
    expectError(
      () => edgesOf(regular(3, 1, 1 + 2 ** -52), "f64"),
      "ERR_AXIS",
      "3 bins",
      "use a wider range, or bins up to 1",
    );
    expectError(() => edgesOf(regular(2, 1, 1 + 2 ** -23), "f32"), "ERR_AXIS", "f32");
    expect(edgesOf(regular(1, 1, 1 + 2 ** -23), "f32")).toHaveLength(2);
    expectError(() => edgesOf(regular(1, 1, 1 + 2 ** -30), "f32"), "ERR_AXIS", "edges; use a wider range");
  });

  it("that round to infinity in f32 are refused, because infinities belong to the flow bins", () => {
    expectError(() => edgesOf(regular(1, 0, 1e39), "f32"), "ERR_AXIS", "rounds to infinity", "1e+39");
    // Doubles just below 2^64 are 2,048 apart, and floats just below 2^24 are 1 apart.
    for (const [lo, hi, type, most] of [
      [2 ** 64 - 6144, 2 ** 64, "u64", 3],
      [-(2 ** 63), -(2 ** 63) + 1024 * 7, "i64", 7],
      [2 ** 24 - 9, 2 ** 24, "f32", 9],
    ] as const) {
      expectError(
        () => edgesOf(regular(most + 1, lo, hi), type),
        "ERR_AXIS",
        `use a wider range, or bins up to ${most}`,
      );
      expect(edgesOf(regular(most, lo, hi), type)).toHaveLength(most + 1);
    }
    expectError(
      () => edgesOf(regular(2, 2 ** 53, 2 ** 53 + 2), "i64"),
      "ERR_AXIS",
      "use a wider range, or bins up to 1",
    );
    expectError(() => edgesOf(regular(1, -1e39, 0), "f32"), "ERR_AXIS", "-1e+39");
    expectError(() => edgesOf(regularSpaced(4, -3e38, 3e38, "f32"), "f32"), "ERR_AXIS");
    expect(edgesOf(regular(1, -3.4e38, 3.4e38), "f32")).toHaveLength(2);
  });
});

describe("an axis", () => {
  it("is frozen, with its edges, and does not keep the caller's array", () => {
    const edges = [0, 1, 2];
    const axis = variable(edges);
    edges[1] = 99;
    expect(axis).toEqual({ type: "variable", bins: 2, edges: [0, 1, 2] });
    expect(Object.isFrozen(axis.edges)).toBe(true);
    for (const one of [axis, integer(0, 1), regular(1, 0, 1)]) expect(Object.isFrozen(one)).toBe(true);
  });

  it("takes edges in a typed array", () => {
    expect(variable(Float32Array.of(0, 0.5, 1)).edges).toEqual([0, 0.5, 1]);
  });

  it.each([
    [() => integer(0.5, 2), "an integer for start", "0.5 of type number"],
    [() => integer(0, 2 ** 53), "an integer for stop", "9007199254740992"],
    [() => integer("0" as never, 2), "an integer for start", '"0" of type string'],
    [() => integer(0, Number.NaN), "an integer for stop", "NaN"],
    [() => integer(3, 3), "an integer above start (3) for stop", "received 3"],
    [() => integer(3, 2), "above start (3)", "received 2"],
    [() => regular(0, 0, 1), "a whole number of at least 1 for bins", "received 0"],
    [() => regular(-1, 0, 1), "for bins", "-1"],
    [() => regular(1.5, 0, 1), "for bins", "1.5"],
    [() => regular("5" as never, 0, 1), "for bins", '"5" of type string'],
    [() => regular(Number.NaN, 0, 1), "for bins", "NaN"],
    [() => regular(1, Number.NaN, 1), "a finite number for lo", "NaN"],
    [() => regular(1, 0, Infinity), "a finite number for hi", "Infinity"],
    [() => regular(1, 0n as never, 1), "for lo", "0 of type bigint"],
    [() => regular(1, 1, 1), "a number above lo (1) for hi", "received 1"],
    [() => regular(1, 2, 1), "above lo (2)", "received 1"],
    [() => regular(1, -1e308, 1e308), "a finite width for hi - lo", "Infinity"],
    [() => regularSpaced(1, 0, 1, "f16" as never), "f64 or f32 for spacing", '"f16"'],
    [() => variable([]), "at least two ascending numbers for edges", "a list of 0"],
    [() => variable([1]), "at least two", "a list of 1"],
    [() => variable(null as never), "at least two", "received null"],
    [() => variable("01" as never), "at least two", '"01" of type string'],
    [() => variable({} as never), "at least two", "Object"],
    [() => variable({ length: Number.NaN } as never), "at least two", "Object"],
    [() => variable([0, Number.NaN]), "a finite number for edges[1]", "NaN"],
    [() => variable([Infinity, 0]), "a finite number for edges[0]", "Infinity"],
    [() => variable([0, -Infinity]), "a finite number for edges[1]", "-Infinity"],
    [() => variable(["0", "1"] as never), "edges[0]", '"0" of type string'],
    [() => variable([0, 1, 1]), "a number above the edge before it (1) for edges[2]", "received 1"],
    [() => variable([0, 2, 1]), "edges[2]", "received 1"],
    [() => variable([-0, 0]), "edges[1]", "received 0"],
    [
      () => checkedAxis(undefined),
      "an axis, such as integer(start, stop) or regular(bins, lo, hi), for axis",
      "undefined",
    ],
    [() => checkedAxis(null), "for axis", "null"],
    [() => checkedAxis(5), "for axis", "5 of type number"],
    [() => checkedAxis({}), "for axis", "Object"],
    [() => checkedAxis({ type: "log" }), "variable, category, boolean or circular for axis.type", '"log"'],
    [() => checkedAxis({ type: "regular", bins: 1, lo: 0 }), "for hi", "undefined"],
    [() => wholeRange("f32", 4), "a range or edges for f32 samples", "undefined"],
  ] as const)("wrong argument %# is refused", (make, what, received) => {
    expectError(make, "ERR_AXIS", what, received);
  });

  it("with too many bins is refused before anything is allocated", () => {
    expectError(() => variable({ length: 2 ** 32 }), "ERR_LIMIT", "4294967295");
    expectError(() => integer(-(2 ** 53) + 1, 2 ** 53 - 1), "ERR_LIMIT", "at most 65536");
  });

  it("from outside is built again", () => {
    for (const axis of [
      integer(0, 9),
      regular(3, 0, 1),
      regularSpaced(3, 0, 1, "f32"),
      variable([0, 1, 3]),
    ]) {
      expect(checkedAxis(JSON.parse(JSON.stringify(axis)))).toEqual(axis);
    }
    expect(checkedAxis({ type: "regular", bins: 2, lo: 0, hi: 1 })).toEqual(regular(2, 0, 1));
    expect(checkedAxis({ type: "integer", start: 0, stop: 4 })).toEqual(integer(0, 4));
  });

  it.each([
    [{ type: "regular", bins: 4, lo: 0, hi: 1, spacng: "f32" }, "did you mean spacing? received spacng"],
    [{ type: "integer", start: 0, stop: 4, end: 9 }, "type, bins, start, stop in an axis of type integer"],
    [{ type: "variable", edges: [0, 1], range: undefined }, "but received range"],
    [
      { type: "integer", start: 0, stop: 4, bins: 77 },
      "4, the number that its other fields give, for axis.bins but received 77",
    ],
    [
      { type: "variable", edges: [0, 1], bins: 2 },
      "1, the number that its other fields give, for axis.bins but received 2",
    ],
    [{ type: "toString" }, 'for axis.type but received "toString"'],
  ])("from outside is refused if it has values that no axis has: %#", (axis, message) => {
    expectError(() => checkedAxis(axis), "ERR_AXIS", message);
  });

  it("with the range before the bins names the right order", () => {
    for (const [lo, hi, bins] of [
      [0, 1, 50],
      [-1, 1, 10],
      [0.5, 0.75, 1],
      [0, 255, 65_536],
    ] as const) {
      expectError(() => regular(lo, hi, bins), "ERR_AXIS", `did you mean regular(${bins}, ${lo}, ${hi})?`);
    }
    // These would be no axis in the other order either.
    for (const [lo, hi, bins] of [
      [0, 1, 0.5],
      [0, -1, 50],
      [0, 1, 65_537],
      [2.5, 0, 1],
    ] as const) {
      const error = errorOf(() => regular(lo, hi, bins));
      expect(error.message).toContain("a whole number of at least 1 for bins");
    }
  });
});

describe("the range of the data", () => {
  it("is [0, 1] if there is no finite value, as in NumPy", () => {
    expect(dataRange(4, "f32", Infinity, -Infinity)).toEqual(regular(4, 0, 1));
    expect(dataRange(4, "f64", Number.NaN, Number.NaN)).toEqual(regular(4, 0, 1));
  });

  it("is widened by 0.5 in each direction if all values are equal", () => {
    expect(dataRange(4, "f64", 3, 3)).toEqual(regular(4, 2.5, 3.5));
    expect(dataRange(4, "f32", 3, 3)).toEqual(regularSpaced(4, 2.5, 3.5, "f32"));
    expect(dataRange(4, "f64", -0, 0)).toEqual(regular(4, -0.5, 0.5));
    const tenth = Math.fround(0.1);
    expect(dataRange(2, "f32", tenth, tenth)).toMatchObject({ lo: Math.fround(tenth - 0.5) });
  });

  it("has no width around values so large that rounding loses the 0.5", () => {
    expectError(() => dataRange(4, "f64", 1e300, 1e300), "ERR_AXIS");
    expectError(() => dataRange(4, "f32", 2 ** 30, 2 ** 30), "ERR_AXIS");
  });
});

describe("the whole range of a type", () => {
  it("has one bin per integer if there are enough bins", () => {
    expect(wholeRange("u8", 256)).toEqual(integer(0, 256));
    expect(wholeRange("i8", 256)).toEqual(integer(-128, 128));
    expect(wholeRange("u16", 65_536)).toEqual(integer(0, 65_536));
    expect(wholeRange("i16", 65_536)).toEqual(integer(-32_768, 32_768));
  });

  it("is cut into equal parts otherwise", () => {
    expect(wholeRange("u8", 16)).toEqual(regular(16, 0, 256));
    expect(wholeRange("u16", 256)).toEqual(regular(256, 0, 65_536));
    expect(wholeRange("i32", 256)).toEqual(regular(256, -(2 ** 31), 2 ** 31));
    expect(wholeRange("u32", 10)).toEqual(regular(10, 0, 2 ** 32));
  });
});
