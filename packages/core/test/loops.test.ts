import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf, integer, type OrderedAxis, regular, variable } from "../src/axis/axis.ts";
import { log } from "../src/axis/spaced.ts";
import type { PolybinError } from "../src/base/errors.ts";
import { INTEGERS_AT_ONCE, LANE_ROWS, LANE_SAMPLES, TABLE_SAMPLES } from "../src/cpu/limits.ts";
import { loopCounters } from "../src/cpu/loops/index.ts";
import { SAMPLE_TYPES, type SampleArray, type SampleType } from "../src/input/sample-types.ts";
import { gridOf, lineOf } from "../src/lowering/index.ts";
import { DOUBLES_AT_ONCE } from "../src/lowering/limits.ts";
import { lower } from "../src/lowering/lowering.ts";
import type { ChannelCounts } from "../src/result/index.ts";
import { AXES, valuesAround } from "./around.ts";
import { arrayOf, random } from "./helpers.ts";
import { byDefinition } from "./oracle.ts";

const WIDE = SAMPLE_TYPES.filter((type) => arrayOf(type, [0]).BYTES_PER_ELEMENT > 1);

interface Of {
  readonly axis: OrderedAxis;
  readonly type: SampleType;
  readonly channels?: readonly number[];
  readonly stride?: number;
}

/** The same for each channel, by the loop of the type and axis. */
function byLoop({ axis, type, channels = [0], stride = 1 }: Of) {
  const newCounter = loopCounters({ axis, lowering: lower(axis, type), channels, stride } as never);
  return (runs: readonly SampleArray[]) => {
    const counter = newCounter();
    for (const run of runs) counter.add(run);
    return counter.channels().map(({ cells, flow }) => Float64Array.of(...cells, ...flow));
  };
}

/** The sum of counts, row by row. */
function sum(parts: readonly Float64Array[]): Float64Array {
  return parts.reduce((total, part) => total.map((count, row) => count + part[row]!));
}

/** `length` of the values, in random order. */
function drawn(from: SampleArray, length: number, seed: number): SampleArray {
  const next = random(seed);
  const out = from.slice(0, 0).constructor as unknown as new (length: number) => SampleArray;
  const array = new out(length);
  for (let i = 0; i < length; i++) array[i] = from[Math.floor(next() * from.length)]!;
  return array;
}

/** Axes that the type has, each with values around its edges. */
function axesFor(type: SampleType): (readonly [string, OrderedAxis, SampleArray])[] {
  return Object.entries(AXES).flatMap(([name, axis]) => {
    try {
      const edges = edgesOf(axis, type);
      const few = axis.bins > 600 ? edges.filter((_, i) => i % 97 === 0 || i > edges.length - 9) : edges;
      return [[name, axis, valuesAround(type, few)] as const];
    } catch {
      // Edges that are equal in f32; lowering.test.ts has the error.
      return [];
    }
  });
}

describe.each(WIDE)("the loops over %s", (type) => {
  it.each(axesFor(type))("count as the oracle does: %s", (_, axis, values) => {
    const count = byLoop({ axis, type });
    const most = type.startsWith("f") ? DOUBLES_AT_ONCE : INTEGERS_AT_ONCE;
    const turns = LANE_SAMPLES * (axis.bins + 6);
    const lengths = [0, 1, 2, 3, 4, 5, 7, most - 1, most, most + 1, 2 * most + 3];
    if (axis.bins < LANE_ROWS) lengths.push(turns - 13, turns + 14, turns + 15, turns + 16, turns + 17);
    expect(count([values])).toEqual([byDefinition(axis, type, values)]);
    for (const [seed, length] of lengths.entries()) {
      const run = drawn(values, length, seed);
      expect(count([run])).toEqual([byDefinition(axis, type, run)]);
    }
  });

  it("count channels apart, several runs one after the other", () => {
    for (const [name, axis, values] of axesFor(type).filter(([, { bins }]) => bins < 600)) {
      for (const [stride, channels] of [
        [2, [1]],
        [2, [1, 0]],
        [3, [0, 1, 2]],
        [4, [0, 1, 2]],
        [4, [3, 1]],
      ] as const) {
        const count = byLoop({ axis, type, channels, stride });
        const runs = [1, 5, 3000, 1500].map((pixels, seed) => drawn(values, pixels * stride, seed));
        const wanted = channels.map((first) =>
          sum(runs.map((run) => byDefinition(axis, type, run, { first, stride }))),
        );
        expect({ name, found: count(runs) }).toEqual({ name, found: wanted });
      }
    }
  });
});

describe("any axis", () => {
  const numbers = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: -10, max: 10 }),
    fc.integer({ min: -300, max: 70_000 }),
    fc.constantFrom(
      0,
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      1.7976931348623155e308,
      2 ** 31,
      2 ** 32,
      -(2 ** 31),
      5e-324,
      -5e-324,
      1e39,
      -1e39,
      Infinity,
      -Infinity,
      0.1,
    ),
  );
  const variables = fc
    .tuple(
      fc.uniqueArray(numbers, { minLength: 2, maxLength: 60, comparator: (a, b) => a === b }),
      fc.boolean(),
    )
    .filter(([edges]) => edges.some(Number.isFinite))
    .map(([edges, closed]) =>
      variable(
        edges.sort((a, b) => a - b),
        { closed },
      ),
    );
  const regulars = fc
    .tuple(
      fc.integer({ min: 1, max: 1500 }),
      fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
      fc.double({ noNaN: true, min: 1e-3, max: 1e12 }),
      fc.boolean(),
    )
    .map(([bins, lo, width, closed]) =>
      regular(bins, lo + width > lo ? lo : 0, lo + width > lo ? lo + width : 1, { closed }),
    );
  const spaced = fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.double({ noNaN: true, min: 1e-9, max: 1e9 }))
    .map(([bins, lo]) => log(bins, lo, lo * 1e6));

  it.each(WIDE)("counts %s as the definition does", (type) => {
    fc.assert(
      fc.property(fc.oneof(variables, regulars, spaced), fc.integer(), (axis, seed) => {
        let edges: Float64Array;
        try {
          edges = edgesOf(axis, type);
        } catch (error) {
          expect((error as PolybinError).code).toBe("ERR_AXIS");
          return;
        }
        const around = valuesAround(type, edges);
        for (const run of [around, drawn(around, 6000, seed)]) {
          expect(byLoop({ axis, type })([run])).toEqual([byDefinition(axis, type, run)]);
        }
      }),
      { numRuns: arrayOf(type, [0]).BYTES_PER_ELEMENT === 2 ? 15 : 150 },
    );
  });
});

it("an open axis may end at the largest number", () => {
  const axis = regular(1, 2, Number.MAX_VALUE, { closed: false });
  const run = Float64Array.of(4.5e307, 2, 1, Number.MAX_VALUE, Infinity);
  expect(byLoop({ axis, type: "f64" })([run])).toEqual([byDefinition(axis, "f64", run)]);
});

describe("the loop of an axis", () => {
  it.each([
    ["evenly spaced edges have a line", regular(100, 0, 1), "line"],
    ["also if they are listed", variable([0, 1, 2, 3.1, 4]), "line"],
    ["uneven edges have a grid of values", variable([0, 1, 10, 100]), "values"],
    ["edges that grow a lot have a grid of keys", log(60, 1e-9, 1e9), "keys"],
    ["crowded edges have neither", variable([1, 1 + 2 ** -52, 1 + 2 ** -51, 1e300]), null],
    ["nor do infinite ones", variable([-Infinity, 0, 10, 11, Infinity]), null],
  ] as const)("%s", (_, axis, kind) => {
    const edges = edgesOf(axis, "f64");
    const found = lineOf(edges) === null ? (gridOf(edges)?.by ?? null) : "line";
    expect(found).toBe(kind);
  });
});

describe("counters", () => {
  it("share tables by turns, whatever their types and axes", () => {
    const next = random(3);
    const all = WIDE.flatMap((type) =>
      axesFor(type)
        .filter((_, i) => i % 4 === 0)
        .map(([name, axis, values]) => {
          const counter = loopCounters({
            axis,
            lowering: lower(axis, type),
            channels: [0],
            stride: 1,
          } as never)();
          return {
            name,
            axis,
            type,
            values,
            counter,
            wanted: [new Float64Array(axis.bins + 3) as Float64Array],
          };
        }),
    );
    for (let i = 0; i < 600; i++) {
      const { axis, type, values, counter, wanted } = all[Math.floor(next() * all.length)]!;
      const run = drawn(values, Math.floor(next() * 9000), i);
      counter.add(run);
      wanted.push(byDefinition(axis, type, run));
    }
    for (const { name, type, counter, wanted } of all) {
      const [{ cells, flow }] = counter.channels() as [ChannelCounts];
      expect({ name, type, found: Float64Array.of(...cells, ...flow) }).toEqual({
        name,
        type,
        found: sum(wanted),
      });
    }
  });

  it("hold more than their 32-bit tables do", () => {
    for (const [type, axis] of [
      ["u16", integer(0, 65_536)],
      ["u16", integer(0, 4)],
      ["f32", regular(10, 0, 10)],
    ] as const) {
      const run = arrayOf(type, new Array(2 ** 20).fill(3));
      const counter = loopCounters({
        axis,
        lowering: lower(axis, type),
        channels: [0],
        stride: 1,
      } as never)();
      const times = TABLE_SAMPLES / run.length + 1;
      for (let i = 0; i < times; i++) counter.add(run);
      const [{ cells, flow }] = counter.channels() as [ChannelCounts];
      expect([cells[3], cells.reduce((a, b) => a + b), ...flow]).toEqual([
        times * 2 ** 20,
        times * 2 ** 20,
        0,
        0,
        0,
      ]);
    }
  });

  it("split a run that is longer than a table can hold", () => {
    const axis = integer(0, 4);
    const run = new Uint16Array(TABLE_SAMPLES + 5).fill(2);
    const [found] = byLoop({ axis, type: "u16" })([run]);
    expect([...found!]).toEqual([0, 0, run.length, 0, 0, 0, 0]);
  });
});
