import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { normalizedMutualInformation } from "@polybin/analysis";
import { JointHistogram, regular } from "@polybin/core";
import { decode as decodePng, encode } from "fast-png";
import { expect, test, vi } from "vitest";
import type { Column } from "../src/joint/columns.ts";
import { jointChart } from "../src/output/charts/joint.ts";
import { type Page, stdoutPage } from "../src/terminal/page.ts";
import { file, here, noise, polybin, refused, scratch } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

interface Printed {
  readonly input: readonly Record<string, unknown>[];
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string;
  readonly plan: { readonly samples: number };
  readonly axes: readonly { readonly type: string; readonly bins: number; readonly edges: number[] }[];
  readonly shape: readonly number[];
  readonly counts: readonly number[];
  readonly flow: number;
  readonly masked: number;
  readonly timings: Readonly<Record<string, number>>;
}

async function joint(args: readonly string[], stdin?: Uint8Array): Promise<Printed> {
  const backend = args.includes("--backend") ? [] : CPU;
  const { code, stdout, stderr } = await here(["joint", ...args, ...backend, "--json"], stdin);
  if (code !== 0 || stderr !== "") throw new Error(`joint ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}

/** Counts by hand: row-major, the second column is the fastest. */
function pairs(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  bins: readonly [number, number],
  each: number,
): number[] {
  const counts = new Array<number>(bins[0] * bins[1]).fill(0);
  for (let i = 0; i < x.length; i++) {
    const cell = Math.floor(x[i]! / each) * bins[1] + Math.floor(y[i]! / each);
    counts[cell] = counts[cell]! + 1;
  }
  return counts;
}

const every = (data: ArrayLike<number>, first: number, stride: number): number[] =>
  Array.from({ length: data.length / stride }, (_, i) => data[first + i * stride]!);

const png = (
  name: string,
  width: number,
  height: number,
  channels: number,
  seed: number,
): [string, Uint8Array] => {
  const data = noise(width * height * channels, seed);
  return [file(name, encode({ width, height, channels, depth: 8, data })), data];
};

test("two grey pictures", async () => {
  const [a, x] = png("a.png", 31, 17, 1, 1);
  const [b, y] = png("b.png", 31, 17, 2, 2);
  const found = await joint([a, b]);
  expect(Object.keys(found)).toEqual(
    "input backend device algorithm plan axes shape counts flow masked timings".split(" "),
  );
  const size = { kind: "image", type: "u8", samples: 31 * 17, width: 31, height: 17, channel: "grey" };
  expect(found.input).toEqual([
    { name: "a.png", ...size },
    { name: "b.png", ...size },
  ]);
  expect(found.axes.map(({ type, bins }) => [type, bins])).toEqual([
    ["integer", 256],
    ["integer", 256],
  ]);
  expect(found.axes[0]!.edges).toHaveLength(257);
  expect(found.shape).toEqual([256, 256]);
  expect(found.counts).toEqual(pairs(x, every(y, 0, 2), [256, 256], 1));
  expect([found.flow, found.masked, found.plan.samples]).toEqual([0, 0, 31 * 17]);
  expect((await joint([a, b, "--backend", "piscina"])).counts).toEqual(found.counts);
});

test("two channels of one picture, and of two", async () => {
  const [a, x] = png("a.png", 20, 11, 3, 3);
  const [b, y] = png("b.png", 20, 11, 4, 4);
  const one = await joint([a, "--channels", "b,r", "--bins", "8,4", "--range", "0,256"]);
  expect(one.shape).toEqual([8, 4]);
  const expected = new Array<number>(32).fill(0);
  for (let i = 0; i < x.length; i += 3)
    expected[Math.floor(x[i + 2]! / 32) * 4 + Math.floor(x[i]! / 64)]! += 1;
  expect(one.counts).toEqual(expected);
  const two = await joint([a, b, "--channels", "g,a", "--bins", "16"]);
  expect(two.counts).toEqual(pairs(every(x, 1, 3), every(y, 3, 4), [16, 16], 16));
  const both = await joint([a, b, "--channels", "r", "--bins", "16"]);
  expect(both.counts).toEqual(pairs(every(x, 0, 3), every(y, 0, 4), [16, 16], 16));
  // Colour pictures are counted by their grey unless a channel is named.
  const grey = await joint([a, b]);
  expect(grey.input.map(({ channel }) => channel)).toEqual(["grey", "grey"]);
  expect(grey.counts).toEqual((await joint([a, b, "--channels", "grey"])).counts);
});

test("raw values of two types, with flow", async () => {
  const x = Float32Array.of(0.1, 0.9, 0.5, 1.5, Number.NaN, 0.2);
  const y = Int16Array.of(-1, 0, 1, 1, 0, 900);
  const args = [file("x.f32", new Uint8Array(x.buffer)), file("y.i16", new Uint8Array(y.buffer))];
  const found = await joint([...args, "--type", "f32,i16", "--bins", "2,3", "--range", "0,1,-1,2"]);
  expect(found.counts).toEqual([1, 0, 0, 0, 1, 1]);
  expect(found.flow).toBe(3);
  // The range of the data, as NumPy's default.
  const own = await joint([...args, "--type", "f32,i16", "--bins", "2", "--range", "data"]);
  expect(own.axes[1]!.edges).toEqual([-1, 449.5, 900]);
  expect(own.flow).toBe(1);
});

test("standard input is one of the two", async () => {
  const found = await joint(
    ["-", file("b", Uint8Array.of(1, 0)), "--bins", "2", "--range", "0,2"],
    Uint8Array.of(0, 1),
  );
  expect(found.counts).toEqual([0, 1, 1, 0]);
  expect(found.input[0]!.name).toBe("-");
});

test("a mask leaves samples out", async () => {
  const a = file("a", Uint8Array.of(0, 1, 0, 1));
  const b = file("b", Uint8Array.of(0, 0, 1, 1));
  const range = ["--bins", "2", "--range", "0,2"];
  const found = await joint([a, b, ...range, "--mask", file("m", Uint8Array.of(1, 0, 255, 0))]);
  expect([found.counts, found.masked]).toEqual([[1, 1, 0, 0], 2]);
  const data = Uint8Array.of(0, 9, 9, 9);
  const picture = file("m.png", encode({ width: 2, height: 2, channels: 1, depth: 8, data }));
  expect((await joint([a, b, ...range, "--mask", picture])).counts).toEqual([0, 1, 1, 1]);
});

test("the heat map: size, axes, numbers", async () => {
  const { code, stdout, stderr } = await here(["joint", sample, "--channels", "r,g", ...CPU]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("x: red of evening.png  640 x 480 pixels of u8, 256 bins over [0, 256)");
  expect(lines[1]).toBe("y: green of evening.png  640 x 480 pixels of u8, 256 bins over [0, 256)");
  expect(stdout).toContain("sums of 4 x 8 bins");
  const rows = lines.filter((line) => /^ *\d* [┤│]/.test(line));
  expect(rows).toHaveLength(32);
  // The fullest cell is among the darker ones, and nothing lies at the bottom right.
  expect(rows.join("")).toMatch(/█/);
  expect(rows.at(-1)!.trim()).toBe("0 ┤");
  const numbers = /mutual information: ([\d.]+) bits · normalized: ([\d.]+)/.exec(
    stdout.replaceAll("\n", " "),
  )!;
  const { counts, shape } = await joint([sample, "--channels", "r,g"]);
  expect(Number(numbers[2])).toBeCloseTo(normalizedMutualInformation({ counts, shape }), 4);
  expect(Number(numbers[1])).toBeGreaterThan(1);
  expect(stdout).not.toContain("\u001b");
  for (const columns of [40, 80, 160]) {
    const narrow = await here(["joint", sample, "--channels", "r,g", ...CPU], undefined, columns);
    for (const line of narrow.stdout.split("\n")) expect([...line].length).toBeLessThanOrEqual(columns);
  }
});

/** The map of counts by hand over [0, bins), with as much of its frame as tells the place. */
function drawn(
  counts: readonly number[],
  shape: readonly [number, number],
  page: Pick<Page, "colour" | "background">,
): string[] {
  const axes = shape.map((bins) => regular(bins, 0, bins));
  const numbers = { cells: Float64Array.from(counts), extents: [...shape], masked: 0 };
  const histogram = new JointHistogram(axes, ["u8", "u8"], numbers);
  const samples = counts.reduce((sum, count) => sum + count, 0);
  const column: Column = {
    input: { name: "x", kind: "raw", type: "u8", samples, width: null, height: null },
    channel: "values",
    of: { data: new Uint8Array(0) },
    at: 0,
    damage: null,
  };
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0, totalMs: 0 };
  const [bytes, isMasked] = [0, false];
  const result = {
    columns: [column, column],
    joint: histogram,
    work: histogram,
    timings,
    bytes,
    isMasked,
  } as const;
  const text = jointChart(result, { scale: "linear", byAuto: false }, { width: 40, ...page });
  return text.split("\n").filter((line) => /[┤│]/.test(line));
}

/** A row without its label. */
const cellsOf = (row: string): string => row.slice(row.search(/[┤│]/) + 1);

test("each cell is drawn in its place: x to the right, y upwards, and the map fills the page", () => {
  const rows = drawn([4, 0, 1, 2, 0, 3], [3, 2], { colour: false });
  expect(rows).toHaveLength(19);
  expect(cellsOf(rows[0]!)).toMatch(/^ {12}▓{12}█{11}$/);
  expect(cellsOf(rows.at(-1)!)).toMatch(/^█{12}▒{12}$/);
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(40);
});

test("with colours, the densest cell is light on a dark terminal, dark on a light one, and full on an unknown one", () => {
  const densest = (background: "dark" | "light" | null) =>
    drawn([9, 0, 0, 1], [2, 2], { colour: true, background }).map(cellsOf);
  const [dark, light, unknown] = [densest("dark"), densest("light"), densest(null)];
  expect(dark.at(-1)).toContain(`\u001b[38;5;229m${"█".repeat(18)}\u001b`);
  expect(dark[0]).toContain("\u001b[38;5;18m█");
  expect(light.at(-1)).toContain(`\u001b[38;5;17m${"█".repeat(18)}\u001b`);
  expect(light[0]).toContain("\u001b[38;5;227m█");
  expect(unknown.at(-1)).toContain(`\u001b[38;5;32m${"█".repeat(18)}\u001b`);
  expect(unknown[0]).toContain("\u001b[38;5;32m░");
});

test.each([
  ["0;15", "light"],
  ["12;7", "light"],
  ["15;0", "dark"],
  ["15;default;0", "dark"],
  ["default", null],
  ["", null],
])("COLORFGBG=%s is the background of a terminal", (colours, background) => {
  vi.stubEnv("COLORFGBG", colours);
  expect(stdoutPage().background).toBe(background);
  vi.unstubAllEnvs();
});

test("plots as SVG and PNG", async () => {
  const [svg, image] = ["x.svg", "x.png"].map((name) => join(scratch(), name)) as [string, string];
  const { code } = await here(["joint", sample, "--channels", "r,g", "--svg", svg, "--png", image, ...CPU]);
  expect(code).toBe(0);
  const text = readFileSync(svg, "utf8");
  expect(text).toMatch(/^<svg/);
  expect(text).toContain("evening.png (red) × evening.png (green)");
  expect(text).toContain("256 × 256 bins, drawn as sums of 2 × 2");
  expect(decodePng(readFileSync(image)).width).toBeGreaterThan(1000);
});

test("empty files", async () => {
  const empty = file("empty", "");
  const { code, stdout } = await here(["joint", empty, file("e", ""), ...CPU]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("empty is empty: there are no values to count"),
  ]);
  const { stderr } = await here(["joint", empty, empty, "--json", "--bins", "2", ...CPU]);
  expect(stderr).toBe("warning: empty is empty: there are no values to count\n");
});

const four = Uint8Array.of(1, 2, 3, 4);

test.for<[string, () => readonly string[], string, RegExp]>([
  ["one file", () => [file("a", four)], "ERR_INPUT", /two files, or --channels NAME,NAME/],
  ["one picture, one channel", () => [sample, "--channels", "r"], "ERR_INPUT", /with --channels r$/m],
  ["three channels", () => [sample, "--channels", "r,g,b"], "ERR_INPUT", /one or two names/],
  ["all channels", () => [sample, "--channels", "all"], "ERR_INPUT", /--channels/],
  ["a channel that is none", () => [sample, "--channels", "r,x"], "ERR_INPUT", /"x"/],
  [
    "a channel that it lacks",
    () => [sample, "--channels", "r,a"],
    "ERR_INPUT",
    /r, g, b, grey, all for --channels/,
  ],
  [
    "channels of raw files",
    () => [file("a", four), file("b", four), "--channels", "r"],
    "ERR_INPUT",
    /no --channels/,
  ],
  [
    "different lengths",
    () => [file("a", four), file("b", Uint8Array.of(1, 2, 3))],
    "ERR_INPUT",
    /4 samples, as a has, but b has 3/,
  ],
  [
    "different sizes",
    () => [png("a.png", 2, 3, 1, 1)[0], png("b.png", 3, 2, 1, 1)[0]],
    "ERR_INPUT",
    /2 x 3 pixels, as a.png has, but b.png has 3 x 2/,
  ],
  [
    "half a value",
    () => [file("a", "abc"), file("b", four), "--type", "u16"],
    "ERR_INPUT",
    /whole number of u16/,
  ],
  ["three bins", () => [sample, sample, "--bins", "2,3,4"], "ERR_INPUT", /one or two numbers for --bins/],
  ["no bins", () => [sample, sample, "--bins", "2,0"], "ERR_AXIS", /received 0/],
  ["half a range", () => [sample, sample, "--range", "1,2,3"], "ERR_INPUT", /LO,HI,LO,HI/],
  ["a range upside down", () => [sample, sample, "--range", "0,1,3,2"], "ERR_AXIS", /above lo \(3\)/],
  ["too many cells", () => [sample, sample, "--bins", "65536", "--range", "0,256"], "ERR_LIMIT", /cells/],
  ["an unknown scale", () => [sample, sample, "--scale", "cubic"], "ERR_INPUT", /"cubic"/],
  ["a scale for JSON", () => [sample, sample, "--scale", "log", "--json"], "ERR_INPUT", /--scale or --json/],
  ["standard input twice", () => ["-", "-"], "ERR_INPUT", /- for one input/],
  [
    "a mask of another length",
    () => [file("a", four), file("b", four), "--mask", file("m", "abc")],
    "ERR_INPUT",
    /1 byte/,
  ],
  ["a mask in colours", () => [sample, sample, "--mask", sample], "ERR_INPUT", /grey picture/],
  ["a file that does not exist", () => [sample, "missing.png"], "ERR_INPUT", /no such file/],
  [
    "three files",
    () => [sample, sample, sample],
    "ERR_INPUT",
    /expected two files at most, or --columns with tables/,
  ],
])("%s is refused", ([, args, code, says]) => refused(["joint", ...args(), ...CPU], code, says));

test("an input is not overwritten", async () => {
  const [a, b] = [file("a.png", four), file("b.png", four)];
  for (const input of [a, b]) {
    await refused(["joint", a, b, "--raw", "--png", input, ...CPU], "ERR_INPUT", /is an input/);
  }
  const folder = scratch();
  const target = join(folder, "x.svg");
  await refused(["joint", a, file("c", "abc"), "--raw", "--svg", target, ...CPU], "ERR_INPUT", /but c has 3/);
  expect(existsSync(target)).toBe(false);
});

test("a process of its own ends with 2 and one line", async () => {
  const outcome = await polybin(["joint", sample]);
  expect(outcome).toMatchObject({ code: 2, stdout: "" });
  expect(outcome.stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+\n$/);
});
