import { expect, test } from "vitest";
import { escaped, Html, html } from "../../src/report/text/html.ts";
import { bytes, duration, exact, fixed, percent, rounded } from "../../src/report/text/numbers.ts";
import {
  boundTexts,
  computedText,
  distanceText,
  placeOf,
  shortText,
  valueText,
} from "../../src/report/text/values.ts";
import { clipped, plainName, shown, visible } from "../../src/report/text/visible.ts";
import type { LogicalType } from "../../src/table/index.ts";

const F64: LogicalType = { kind: "number", type: "f64" };
const F32: LogicalType = { kind: "number", type: "f32" };
const I64: LogicalType = { kind: "number", type: "i64" };
const NS: LogicalType = { kind: "timestamp", unit: "ns", timezone: "Europe/Berlin" };
const US: LogicalType = { kind: "timestamp", unit: "us", timezone: null };
const CENTS: LogicalType = { kind: "decimal", scale: 2, precision: 12 };
const DAYS: LogicalType = { kind: "date", unit: "day" };

test("markup escapes every value but markup", () => {
  const { markup } =
    html`<a title="${`"'&<>`}">${new Html("<b>")}${["x<", null, false, 3, [html`<i>${"&"}</i>`]]}</a>`;
  expect(markup).toBe('<a title="&quot;&#39;&amp;&lt;&gt;"><b>x&lt;3<i>&amp;</i></a>');
  expect(escaped("</script>")).toBe("&lt;/script&gt;");
});

test("names show what they hold, and are cut between characters", () => {
  expect(visible("\u202eabc\u0000\ufeff")).toBe("\\u{202e}abc\\u{0}\\u{feff}");
  expect(visible("👩‍👩‍👧")).toBe("👩‍👩‍👧");
  expect(clipped("ab😀", 3)).toEqual({ text: "ab", isCut: true });
  expect(clipped("ab😀", 4)).toEqual({ text: "ab😀", isCut: false });
  expect(plainName("", 10)).toBe("(no name)");
  expect(plainName("abcdef", 3)).toBe("abc…");
  expect(shown(" a ", 9, "").markup).toBe("<bdi>&quot; a &quot;</bdi>");
  expect(shown("", 9, "(empty)").markup).toBe('<i class="quiet">(empty)</i>');
  expect(shown("x".repeat(10_000), 5, "").markup).toContain("… (10,000 characters)");
  // The profile keeps only the start of a long value.
  expect(shown("x".repeat(256), 5, "", true).markup).toContain("… (more than 256 characters)");
});

test.for([
  [0, "0"],
  [-0, "0"],
  [1234.5678, "1,234.57"],
  [-12_345_678, "−12,345,678"],
  [1e15, "1e15"],
  [1.5e-7, "1.5e-7"],
  [-1e300, "−1e300"],
  [5e-324, "4.94066e-324"],
  [Infinity, "∞"],
] as const)("%d is rounded to %s", ([value, text]) => {
  expect(rounded(value)).toBe(text);
});

test("what rounds to zero has no minus", () => {
  expect([-0.004, 0.004, -0.38, 1].map((value) => fixed(value, 2))).toEqual([
    "0.00",
    "0.00",
    "−0.38",
    "1.00",
  ]);
});

test("values keep their digits", () => {
  expect(exact(0.1 + 0.2, false)).toBe("0.30000000000000004");
  expect(exact(Math.fround(0.1), true)).toBe("0.1");
  expect(exact(Math.fround(16_777_217.3), true)).toBe("16,777,218");
  expect(exact(1.25e-9, false)).toBe("1.25e-9");
  expect(valueText(184_340.8, F64)).toBe("184,340.8");
  expect(valueText(Math.fround(0.1), F32)).toBe("0.1");
  expect(shortText(184_340.8, F64, 1e5)).toBe("184,341");
  expect(shortText(1e9 + 0.125, F64, 8)).toBe("1,000,000,000.13");
  expect(valueText("9223372036854775807", I64)).toBe("9,223,372,036,854,775,807");
  expect(valueText("-9007199254740993", CENTS)).toBe("−90,071,992,547,409.93");
  expect(valueText(-5, CENTS)).toBe("−0.05");
  expect(valueText("1704067200123456789", NS)).toBe("2024-01-01 00:00:00.123456789 UTC");
  expect(valueText(-1, US)).toBe("1969-12-31 23:59:59.999999");
  expect(valueText(19_723, DAYS)).toBe("2024-01-01");
  expect(valueText("-Infinity", F64)).toBe("−∞");
  expect(valueText(1, { kind: "boolean" })).toBe("true");
  expect(valueText("<b>", { kind: "string" })).toBe("<b>");
});

test("computed numbers are as precise as they differ", () => {
  const noon = Date.UTC(2024, 0, 1, 12) * 1000;
  expect(computedText(noon + 123, US, 1e6)).toBe("2024-01-01 12:00:00.000123");
  expect(computedText(noon + 123, US, 1e9)).toBe("2024-01-01 12:00:00");
  expect(computedText(999_999_999.123, F64, 8)).toBe("999,999,999.123");
  expect(computedText(9_007_199_254_740_992, I64, 24)).toBe("9,007,199,254,740,992");
  expect(computedText(12.5, CENTS, 0)).toBe("0.125");
  expect(computedText(19_723.4, DAYS, 0)).toBe("2024-01-01");
  expect(distanceText(90 * 1e6 * 60, US)).toBe("1.5 h");
  expect(distanceText(250, CENTS)).toBe("2.5");
});

test("bounds are rounded outwards", () => {
  expect(boundTexts(0.123456789, 1.23456712, F64)).toEqual(["0.123456", "1.23457"]);
  expect(boundTexts(-1.23456712, -0.123456789, F64)).toEqual(["−1.23457", "−0.123456"]);
  expect(boundTexts(999_999.96, 999_999.96, F64)).toEqual(["999,999", "1,000,000"]);
  expect(boundTexts(1e9 + 0.123_456, 1e9 + 1.123_456, F64)).toEqual([
    "1,000,000,000.123",
    "1,000,000,001.124",
  ]);
  expect(boundTexts(3, 7, I64)).toEqual(["3", "7"]);
  expect(boundTexts(1.5, 99.5, CENTS)).toEqual(["0.015", "0.995"]);
  const day = 86_400e6;
  expect(boundTexts(day + 1.5, 2 * day + 1.5, US)).toEqual(["1970-01-02 00:00:00", "1970-01-03 00:00:01"]);
  expect(boundTexts(day + 1.5, day + 2.5, US)).toEqual([
    "1970-01-02 00:00:00.000001",
    "1970-01-02 00:00:00.000003",
  ]);
  expect(boundTexts(-day - 1.5, day, US)[0]).toBe("1969-12-30 23:59:59");
  expect(boundTexts(-1.5, 1.5, DAYS)).toEqual(["1969-12-30", "1970-01-03"]);
});

test("places are milliseconds for times, and numbers for all others", () => {
  expect(placeOf("1704067200000000000", NS)).toBe(1_704_067_200_000);
  expect(placeOf(1, DAYS)).toBe(86_400_000);
  expect(placeOf(-250, CENTS)).toBe(-2.5);
  expect(placeOf(3600, { kind: "time", unit: "s" })).toBe(3_600_000);
  expect(placeOf("18446744073709551615", { kind: "number", type: "u64" })).toBe(2 ** 64);
});

test("shares are 0% and 100% only if they are", () => {
  expect([0, 1, 5, 99, 9990, 9999, 10_000].map((part) => percent(part, 10_000))).toEqual([
    "0%",
    "<0.1%",
    "<0.1%",
    "1%",
    "99.9%",
    ">99.9%",
    "100%",
  ]);
  expect(percent(0, 0)).toBe("0%");
});

test("sizes and durations have units", () => {
  expect([0, 999, 11_251_126, 2e15].map(bytes)).toEqual(["0 bytes", "999 bytes", "11.3 MB", "2 PB"]);
  expect([0.1234, 999.7, 4401, 100_000, 7_200_000, 864e6].map(duration)).toEqual([
    "0.123 ms",
    "1 s",
    "4.4 s",
    "1 min 40 s",
    "2 h",
    "10 days",
  ]);
});
