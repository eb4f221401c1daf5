import fc from "fast-check";
import { expect, it } from "vitest";
import { type Axis, dataRange, integer, regular, variable } from "../src/axis/axis.ts";
import { SAMPLE_TYPES, type SampleType } from "../src/input/sample-types.ts";
import type { AnyHistogram } from "../src/result/histogram.ts";
import {
  ReadableHistogram as Histogram,
  ReadableWeightedHistogram as WeightedHistogram,
} from "../src/result/reading.ts";
import type { UhiRecord } from "../src/result/uhi/schema.ts";

/** JSON has no -0. */
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const size = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 });
const count = fc.maxSafeNat();
const word = fc.string({ minLength: 1, maxLength: 9 });
const metadata: fc.Arbitrary<UhiRecord> = fc.dictionary(word, fc.oneof(word, double, fc.boolean()), {
  maxKeys: 4,
  noNullPrototype: true,
});

const axis: fc.Arbitrary<Axis> = fc.oneof(
  fc
    .tuple(fc.integer(), fc.integer({ min: 1, max: 12 }))
    .map(([start, bins]) => integer(start, start + bins)),
  fc
    .tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: -99, max: 99 }),
      fc.integer({ min: 1, max: 99 }),
    )
    .map(([bins, lo, width]) => regular(bins, lo / 8, (lo + width) / 8)),
  fc.integer({ min: 1, max: 12 }).map((bins) => dataRange(bins, "f32", Math.fround(0.1), Math.fround(0.7))),
  fc
    .uniqueArray(double, { minLength: 2, maxLength: 12 })
    .map((edges) => variable(edges.toSorted((a, b) => a - b))),
);
const typed: fc.Arbitrary<{ axis: Axis; type: SampleType }> = fc.record({
  axis,
  type: fc.constantFrom(...SAMPLE_TYPES),
});

const row = (number: fc.Arbitrary<number>, bins: number) =>
  fc.array(number, { minLength: bins, maxLength: bins }).map((values) => Float64Array.from(values));
const flow = (number: fc.Arbitrary<number>) =>
  fc.record({ underflow: number, overflow: number, nan: number });

/** What was read and written again, with metadata put in on the way, is what it was. */
function expectTrip(one: AnyHistogram, notes: UhiRecord, axisNotes: UhiRecord): void {
  const json = JSON.parse(JSON.stringify(one));
  expect(Histogram.fromJSON(json)).toEqual(one);
  const noted = { ...json, metadata: notes, axes: [{ ...json.axes[0], metadata: axisNotes }] };
  const again = Histogram.fromJSON(JSON.parse(JSON.stringify(Histogram.fromJSON(noted))));
  expect(again).toEqual(one);
  expect(again.axis).toEqual(one.axis);
  expect([...again.edges]).toEqual([...one.edges]);
  expect({ ...again.metadata }).toEqual(notes);
  expect({ ...again.axisMetadata }).toEqual(axisNotes);
}

it("counts go to JSON and back, whatever the axis, the type and the metadata", () => {
  const made = typed.chain(({ axis: of, type }) =>
    fc
      .tuple(row(count, of.bins), flow(count))
      .map(([counts, outside]) => new Histogram(of, type, { counts, ...outside })),
  );
  fc.assert(fc.property(made, metadata, metadata, expectTrip));
});

it("sums go to JSON and back, with and without squares and counts", () => {
  const made = typed.chain(({ axis: of, type }) =>
    fc
      .record({
        counted: fc.option(fc.tuple(row(count, of.bins), flow(count))),
        sums: row(double, of.bins),
        flowSums: flow(double),
        squares: fc.option(fc.tuple(row(size, of.bins), flow(size))),
        quanta: fc.option(fc.tuple(size, size)),
      })
      .map(({ counted, sums, flowSums, squares, quanta }) => {
        const numbers = {
          counts: counted?.[0] ?? null,
          flow: counted?.[1] ?? null,
          ...{ sums, flowSums },
          sumsOfSquares: squares?.[0] ?? null,
          flowSumsOfSquares: squares?.[1] ?? null,
          limbs: quanta?.[0] ?? null,
          limbsOfSquares: squares && (quanta?.[1] ?? null),
        };
        return new WeightedHistogram(of, type, numbers);
      }),
  );
  fc.assert(fc.property(made, metadata, metadata, expectTrip));
});

it("sparse and dense storages in any order are equal", () => {
  const made = fc.integer({ min: 1, max: 20 }).chain((bins) =>
    fc.record({
      bins: fc.constant(bins),
      underflow: fc.boolean(),
      overflow: fc.boolean(),
      values: fc.array(count, { minLength: bins + 2, maxLength: bins + 2 }),
      order: fc.shuffledSubarray([...Array(bins + 2).keys()]),
      type: fc.constantFrom("int", "double"),
    }),
  );
  fc.assert(
    fc.property(made, ({ bins, underflow, overflow, values, order, type }) => {
      const cells = bins + (underflow ? 1 : 0) + (overflow ? 1 : 0);
      const index = order.filter((cell) => cell < cells);
      const dense = Array.from({ length: cells }, (_, i) => (index.includes(i) ? values[i]! : 0));
      const ends = { lower: 0, upper: 1, bins, underflow, overflow, circular: false };
      const read = (storage: object) =>
        Histogram.fromJSON({
          uhi_schema: 1,
          axes: [{ type: "regular", ...ends }],
          storage: { type, ...storage },
        });
      const want = read({ values: dense });
      expect(want).toBeInstanceOf(Histogram);
      expect(read({ index: [index], values: index.map((cell) => values[cell]!) })).toEqual(want);
      const { underflow: below, counts, overflow: above } = want as Histogram;
      expect([...(underflow ? [below] : []), ...counts, ...(overflow ? [above] : [])]).toEqual(dense);
    }),
  );
});
