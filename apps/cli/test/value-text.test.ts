import { expect, test } from "vitest";
import { valueTextOf } from "../src/values/value-text.ts";

test("edges of days between two dates lose no millisecond to rounding", () => {
  const { text } = valueTextOf({ kind: "date", unit: "day" });
  // 1969-12-25 to 1970-01-13 in three bins, and in seven.
  for (const bins of [3, 7]) {
    for (let i = 0; i <= bins; i++) {
      const days = -7 + (i * 19) / bins;
      const wanted = new Date(Math.floor(days * 86_400_000 + 1e-3)).toISOString();
      expect(wanted.replace("T", " ")).toContain(text(days));
    }
  }
  expect(text(-7 + 19 / 3)).toBe("1969-12-31 08:00");
  const nanoseconds = valueTextOf({ kind: "timestamp", unit: "ns", timezone: null });
  expect(nanoseconds.text(1_999_999)).toBe("1970-01-01 00:00:00.001");
});

test("a file has all digits of a time, and no more", () => {
  const { written } = valueTextOf({ kind: "timestamp", unit: "us", timezone: null });
  const clock = valueTextOf({ kind: "time", unit: "ns" }).written;
  expect([0, 1, 1_500_000, 60_000_000, -1].map(written)).toEqual([
    "1970-01-01",
    "1970-01-01 00:00:00.000001",
    "1970-01-01 00:00:01.500",
    "1970-01-01 00:01",
    "1969-12-31 23:59:59.999999",
  ]);
  expect([1, 3_600_000_000_000].map(clock)).toEqual(["00:00:00.000000001", "01:00"]);
  expect(written(9e18)).toBe("9000000000000000000");
  expect(valueTextOf({ kind: "number", type: "f64" }).written(0.1 + 0.2)).toBe("0.30000000000000004");
});
