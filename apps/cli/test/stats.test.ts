import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { file, here, refused } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

interface Stat {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}
interface Found {
  readonly percentiles: readonly { readonly percent: number; readonly lo: number | null }[];
  readonly stats: {
    readonly samples: number;
    readonly mean: Stat;
    readonly stddev: Stat;
    readonly mode: Stat;
    readonly entropy: number | null;
    readonly thresholds: { readonly [name: string]: Stat | null };
  };
}

async function json(args: readonly string[]): Promise<readonly Found[]> {
  const { code, stdout, stderr } = await here(["hist", ...args, "--stats", "--json", ...CPU]);
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly channels: readonly Found[] }).channels;
}

const exactly = (value: number): Stat => ({ value, low: value, high: value });

// NumPy, SciPy and scikit-image give these.
test("the numbers of bytes are exact", async () => {
  const [found] = await json([file("b", Uint8Array.of(10, 10, 10, 12, 200, 202, 202, 210))]);
  expect(found!.stats).toEqual({
    samples: 8,
    mean: exactly(107),
    stddev: exactly(Math.sqrt(9320)),
    mode: exactly(10),
    entropy: expect.closeTo(2.1556390622295662, 12),
    thresholds: {
      otsu: exactly(12),
      li: exactly(42.3911117355856),
      yen: exactly(12),
      triangle: exactly(11),
      isodata: exactly(107),
      minimum: exactly(14),
    },
  });
  expect(found!.percentiles.map(({ percent }) => percent)).toEqual([0, 1, 25, 50, 75, 99, 100]);
});

test("every channel of a picture has them, and --percentiles names others", async () => {
  const channels = await json([sample, "--percentiles", "5"]);
  expect(channels).toHaveLength(3);
  for (const { stats, percentiles } of channels) {
    expect(stats.samples).toBe(640 * 480);
    expect(stats.mean.low).toBe(stats.mean.high);
    expect(percentiles).toHaveLength(1);
  }
});

test("wide bins give bounds, and values outside the bins leave numbers open", async () => {
  const path = file("f", new Uint8Array(Float32Array.of(1, 2, 3).buffer));
  const args = [path, "--type", "f32", "--bins", "4", "--range", "0,2.5"];
  const [found] = await json(args);
  expect(found!.stats.mean).toEqual({ value: null, low: 5 / 3, high: null });
  expect(found!.stats.mode).toEqual({ value: 0.9375, low: 0.625, high: 1.25 });
  expect(found!.stats.thresholds.minimum).toBeNull();
  const { stdout } = await here(["hist", ...args, "--stats", ...CPU]);
  expect(stdout.replaceAll("\n", " ")).toContain(
    "numbers: mean at least 1.66667 · standard deviation at least 0.51031 · mode 0.9375 (0.625 to 1.25) · entropy 1.58496 bits",
  );
  expect(stdout.replaceAll("\n", " ")).toContain("thresholds: otsu 0.9375 (0.625 to 1.25) · li 0.9375");
  expect(stdout).toContain("minimum none\n");
});

test("an empty file has no numbers", async () => {
  const { stdout } = await here(["hist", file("e", ""), "--stats", "--json", ...CPU]);
  const [found] = (JSON.parse(stdout) as { readonly channels: readonly Found[] }).channels;
  const none = { value: null, low: null, high: null };
  expect(found!.stats).toMatchObject({ samples: 0, mean: none, stddev: none, mode: none, entropy: null });
  expect(Object.values(found!.stats.thresholds)).toEqual(Array(6).fill(null));
});

test("what prints no numbers refuses the option", async () => {
  const path = file("b", Uint8Array.of(0, 1, 2));
  await refused(["hist", path, "--stats", "--csv"], "ERR_INPUT", /--stats or --csv/);
  await refused(["hist", path, "--stats", "--explain"], "ERR_INPUT", /--stats or --explain/);
  await refused(["hist", path, "--stats", "--every", "2", "--json"], "ERR_INPUT", /--stats or --every/);
});
