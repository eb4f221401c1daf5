import { fileURLToPath } from "node:url";
import { integer, openEngine, regular } from "@polybin/core";
import { expect, test } from "vitest";
import { parsePercents } from "../src/options/percentiles.ts";
import { placeOf } from "../src/output/charts/percentiles.ts";
import { percentileOf } from "../src/output/percentile.ts";
import { file, here, noise } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

const percent = (text: string) => parsePercents(text)[0]!;

test("a percentile of bytes is the value that sorting finds", async () => {
  await using engine = await openEngine();
  const bytes = noise(1000);
  const sorted = [...bytes].sort((a, b) => a - b);
  const histogram = await engine.histogram({ data: bytes });
  for (const [text, rank] of [
    ["0", 1],
    ["0.1", 1],
    ["0.1001", 2],
    ["7", 70],
    ["50", 500],
    ["99.9", 999],
    ["99.90001", 1000],
    ["100", 1000],
  ] as const) {
    const value = sorted[rank - 1]!;
    expect(percentileOf(histogram, percent(text)), text).toEqual({
      percent: Number(text),
      bin: value,
      lo: value,
      hi: value + 1,
    });
    expect(placeOf(histogram, percent(text))).toBe(String(value));
  }
});

test("a share that doubles do not hold is not rounded up", async () => {
  // 7 / 100 * 100 is above 7 in doubles.
  await using engine = await openEngine();
  const histogram = await engine.histogram({ data: Uint8Array.from({ length: 100 }, (_, i) => i) });
  expect((7 / 100) * 100).toBeGreaterThan(7);
  expect(percentileOf(histogram, percent("7")).lo).toBe(6);
});

test("samples outside the bins take part, NaN does not", async () => {
  await using engine = await openEngine();
  const data = Float32Array.of(-5, Number.NaN, 0.5, 1.5, 2, 9, Number.NaN);
  const found = await engine.histogram({ data }, { axis: regular(2, 0, 2) });
  const places = ["0", "20", "21", "40", "60", "80", "81", "100"].map((text) =>
    placeOf(found, percent(text)),
  );
  expect(places).toEqual([
    "below 0",
    "below 0",
    "in [0, 1)",
    "in [0, 1)",
    "in [1, 2]",
    "in [1, 2]",
    "above 2",
    "above 2",
  ]);
  const bytes = await engine.histogram({ data: Uint8Array.of(1, 2, 200) }, { axis: integer(0, 10) });
  expect(placeOf(bytes, percent("100"))).toBe("at least 10");
  // The last of these bins holds 2 and 3.
  const pairs = await engine.histogram({ data: Uint8Array.of(1, 2, 3) }, { axis: regular(2, 1, 3) });
  expect([placeOf(pairs, percent("1")), placeOf(pairs, percent("50"))]).toEqual(["1", "in [2, 3]"]);
  const none = await engine.histogram({ data: Float32Array.of(Number.NaN) }, { axis: regular(2, 0, 2) });
  expect(placeOf(none, percent("50"))).toBe("none");
});

test("--percentiles in a chart and in JSON", async () => {
  const path = file("b", Uint8Array.of(1, 2, 3, 4));
  const chart = await here(["hist", path, "--percentiles", "25, 50.0,100", ...CPU]);
  expect(chart.stdout).toContain("\npercentiles: 25% 1 · 50.0% 2 · 100% 4\n");
  const args = [
    "hist",
    sample,
    "--percentiles",
    "50",
    "--bins",
    "16",
    "--range",
    "100,200",
    "--json",
    ...CPU,
  ];
  const { channels } = JSON.parse((await here(args)).stdout);
  for (const { counts, underflow, overflow, percentiles } of channels) {
    const [{ bin, lo, hi, ...rest }] = percentiles;
    expect(rest).toEqual({ percent: 50 });
    if (bin === null) {
      expect(underflow).toBeGreaterThanOrEqual((640 * 480) / 2);
      expect([lo, hi]).toEqual([null, 100]);
      continue;
    }
    const below = counts.slice(0, bin).reduce((sum: number, count: number) => sum + count, underflow);
    expect(below).toBeLessThan((640 * 480) / 2);
    expect(below + counts[bin]).toBeGreaterThanOrEqual((640 * 480) / 2);
    expect(overflow).toBeGreaterThanOrEqual(0);
    expect([lo, hi]).toEqual([100 + bin * 6.25, 106.25 + bin * 6.25]);
  }
  expect(JSON.parse((await here(["hist", path, "--json", ...CPU])).stdout).channels[0]).not.toHaveProperty(
    "percentiles",
  );
});
