import { openEngine } from "@polybin/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/profile/bytes.ts";
import { CalendarCounts } from "../../src/profile/exact/calendar.ts";
import { type CalendarJson, profile } from "../../src/profile/index.ts";
import type { LogicalType, TimeUnit } from "../../src/table/index.ts";
import { stated, tableOf } from "./tables.ts";

const engine = await openEngine();
const PER_MS: Readonly<Record<TimeUnit, number>> = { s: 0.001, ms: 1, us: 1000, ns: 1_000_000 };

/** The counts by JavaScript's own calendar. */
function plain(ms: readonly number[]): Required<CalendarJson> {
  const of = (length: number, place: (date: Date) => number): number[] => {
    const counts = new Array<number>(length).fill(0);
    for (const one of ms) counts[place(new Date(one))]!++;
    return counts;
  };
  return {
    weekdays: of(7, (date) => (date.getUTCDay() + 6) % 7),
    months: of(12, (date) => date.getUTCMonth()),
    hours: of(24, (date) => date.getUTCHours()),
  };
}

const SECONDS = fc.oneof(
  fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }),
  // Neighbours within some months.
  fc.integer({ min: -10_000_000, max: 10_000_000 }),
  // The first and the last moment of hours and days.
  fc
    .integer({ min: -2_000_000, max: 2_000_000 })
    .chain((hour) => fc.constantFrom(hour * 3600, hour * 3600 - 1)),
);

test.each(["s", "ms", "us", "ns"] as const)("timestamps in %s equal JavaScript's calendar", async (unit) => {
  await fc.assert(
    fc.asyncProperty(fc.array(SECONDS, { minLength: 1, maxLength: 30 }), async (seconds) => {
      const logical: LogicalType = { kind: "timestamp", unit, timezone: null };
      const perSecond = BigInt(PER_MS[unit] * 1000);
      // The last unit before the next second has the same hour.
      const values = seconds.map(
        (second, i) => BigInt(second) * perSecond + (i % 2 === 0 ? 0n : perSecond - 1n),
      );
      for (const more of [{}, { statistics: stated(values) }]) {
        const { columns } = await profile(engine, [tableOf([{ name: "t", type: logical, values, ...more }])]);
        expect(columns[0]!.calendar).toEqual(plain(seconds.map((second) => second * 1000)));
      }
    }),
    { numRuns: 40 },
  );
});

test("dates have no hours, with and without bins for each day", async () => {
  const days = [-719_162, -1, 0, 59, 60, 11_016, 19_782, 19_783, 20_000];
  const { weekdays, months } = plain(days.map((day) => day * 86_400_000));
  const logical: LogicalType = { kind: "date", unit: "day" };
  const near = days.slice(6);
  for (const [values, more] of [
    [days, {}],
    [near, { statistics: stated(near) }],
  ] as const) {
    const { columns } = await profile(engine, [tableOf([{ name: "d", type: logical, values, ...more }])]);
    const expected = values === days ? { weekdays, months } : plain(near.map((day) => day * 86_400_000));
    expect(columns[0]!.calendar).toEqual({ weekdays: expected.weekdays, months: expected.months });
  }
});

test("numbers have no calendar, and parts merge", async () => {
  const { columns } = await profile(engine, [
    tableOf([{ name: "x", type: { kind: "number", type: "f64" }, values: [1] }]),
  ]);
  expect(columns[0]!.calendar).toBeUndefined();
  const logical: LogicalType = { kind: "timestamp", unit: "s", timezone: null };
  const [a, b, whole] = [[0, 90_000], [-1]].map((values) => {
    const counts = CalendarCounts.of(logical)!;
    counts.add(values, null);
    return counts;
  });
  const to = new ByteWriter();
  b!.write(to);
  a!.merge(CalendarCounts.of(logical)!.read(new ByteReader(to.result())));
  expect([a!.hours[0], a!.hours[1], a!.hours[23], whole]).toEqual([1, 1, 1, undefined]);
});
