import { describe, expect, it } from "vitest";
import { edgesOf, type OrderedAxis } from "../src/axis/axis.ts";
import { INTEGERS_AT_ONCE, LANE_ROWS, LANE_SAMPLES } from "../src/cpu/limits.ts";
import { loopCounters } from "../src/cpu/loops/index.ts";
import { SAMPLE_TYPES, type SampleArray, type SampleType } from "../src/input/sample-types.ts";
import { DOUBLES_AT_ONCE } from "../src/lowering/limits.ts";
import { lower } from "../src/lowering/lowering.ts";
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
