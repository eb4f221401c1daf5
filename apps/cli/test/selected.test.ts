// Groups and masks of `polybin hist`.
import { join } from "node:path";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import { file, here, noise, type Printed, refused, scratch, tally } from "./command.ts";

const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

interface Selected extends Omit<Printed, "channels"> {
  readonly masked?: number;
  readonly channels: readonly (Printed["channels"][number] & { readonly group?: number })[];
}

async function hist(args: readonly string[]): Promise<Selected> {
  const backend = args.includes("--backend") ? [] : CPU;
  const { code, stdout, stderr } = await here(["hist", ...args, ...backend, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Selected;
}

const values = noise(997, 5);
/** The values whose code fulfils a condition. */
const those = (codes: ArrayLike<number>, holds: (code: number) => boolean): number[] =>
  [...values].filter((_, i) => holds(codes[i]!));

test("groups of codes of 1, 2 and 4 bytes", async () => {
  const source = file("v", values);
  const plain = noise(997, 6).map((byte) => byte % 5);
  for (const Codes of [Uint8Array, Uint16Array, Uint32Array]) {
    const codes = Codes.from(plain);
    const found = await hist([source, "--by", file("codes", new Uint8Array(codes.buffer))]);
    expect(found.channels.map(({ name, group }) => [name, group])).toEqual(
      [0, 1, 2, 3, 4].map((group) => ["values", group]),
    );
    for (const { group, counts } of found.channels) {
      expect(counts).toEqual(
        tally(
          those(codes, (code) => code === group),
          256,
        ),
      );
    }
    expect([found.backend, found.algorithm, found.plan.samples]).toEqual(["cpu", "sequential", 997]);
    expect(found.masked).toBeUndefined();
  }
});

test("a mask, with every output", async () => {
  const source = file("v", values);
  const bytes = noise(997, 7);
  const mask = file("mask", bytes);
  const kept = those(bytes, (byte) => byte !== 0);
  const found = await hist([source, "--mask", mask]);
  expect(found.channels[0]!.counts).toEqual(tally(kept, 256));
  expect(found.masked).toBe(997 - kept.length);
  expect(found.masked).toBeGreaterThan(0);
  expect((await hist([source, "--mask", mask, "--backend", "piscina"])).channels).toEqual(found.channels);
  const svg = join(scratch(), "x.svg");
  const { stdout } = await here(["hist", source, "--mask", mask, "--svg", svg, "--stats", ...CPU]);
  expect(stdout).toContain(`masked: ${found.masked}`);
  expect(stdout).toContain(`${kept.length} counted`);
  const csv = await here(["hist", source, "--mask", mask, "--csv", ...CPU]);
  expect(csv.stdout.split("\n")[1]).toBe(`0,0,1,${kept.filter((value) => value === 0).length}`);
});

test("both, for the channels of a picture, from grey pictures of 8 and 16 bits", async () => {
  const [width, height] = [13, 7];
  const data = noise(width * height * 3, 8);
  const codes = Uint16Array.from(noise(width * height, 9), (byte) => byte % 3);
  const bytes = noise(width * height * 2, 10);
  const source = file("x.png", encode({ width, height, channels: 3, depth: 8, data }));
  const by = file("by.png", encode({ width, height, channels: 1, depth: 16, data: codes }));
  const mask = file("mask.png", encode({ width, height, channels: 2, depth: 8, data: bytes }));
  const found = await hist([source, "--by", by, "--mask", mask, "--bins", "4"]);
  const pixels = [...codes.keys()];
  expect(found.channels).toHaveLength(9);
  for (const { name, group, counts } of found.channels) {
    const at = "rgb".indexOf(name);
    const own = pixels.filter((i) => codes[i] === group && bytes[2 * i] !== 0);
    expect(counts).toEqual(
      tally(
        own.map((i) => data[3 * i + at]! >> 6),
        4,
      ),
    );
  }
  expect(found.masked).toBe(pixels.filter((i) => bytes[2 * i] === 0).length);
});

test("channels share the axis of the data, which masked samples belong to", async () => {
  const data = Uint16Array.of(5, 100, 9, 7, 3, 8);
  const source = file("x.png", encode({ width: 2, height: 1, channels: 3, depth: 16, data }));
  const found = await hist([
    source,
    "--mask",
    file("m", Uint8Array.of(0, 1)),
    "--bins",
    "1",
    "--range",
    "data",
  ]);
  expect(found.axis.edges).toEqual([3, 100]);
  expect(found.channels.map(({ counts }) => counts)).toEqual([[1], [1], [1]]);
});

test("empty input has one group without samples", async () => {
  const { stdout, stderr } = await here([
    "hist",
    file("e", ""),
    "--by",
    file("c", ""),
    "--bins",
    "2",
    "--json",
    ...CPU,
  ]);
  expect(stderr).toBe("warning: e is empty: there are no values to count\n");
  expect((JSON.parse(stdout) as Selected).channels).toMatchObject([{ group: 0, counts: [0, 0] }]);
});

const abc = (): string => file("abc", Uint8Array.of(0, 1, 2));

test.for<[string, () => readonly string[], string, RegExp]>([
  ["groups without --json", () => [abc(), "--by", abc()], "ERR_INPUT", /--json with --by/],
  [
    "groups and a plot",
    () => [abc(), "--by", abc(), "--json", "--svg", "x.svg"],
    "ERR_INPUT",
    /--by or --svg/,
  ],
  [
    "a mask and segments",
    () => [abc(), "--mask", abc(), "--json", "--every", "1"],
    "ERR_INPUT",
    /--mask or --every/,
  ],
  ["groups and an explanation", () => [abc(), "--by", abc(), "--explain"], "ERR_INPUT", /--by or --explain/],
  [
    "codes of another length",
    () => [abc(), "--json", "--by", file("c", "abcd")],
    "ERR_INPUT",
    /1, 2 or 4 bytes for each of the 3 samples of abc in the file of --by but c has 4 bytes/,
  ],
  [
    "a mask of two bytes each",
    () => [abc(), "--mask", file("m", "abcabc")],
    "ERR_INPUT",
    /1 byte for each of the 3/,
  ],
  ["a mask that is a folder", () => [abc(), "--mask", scratch()], "ERR_INPUT", /is a folder/],
  [
    "a mask that is an archive",
    () => [abc(), "--mask", file("m.gz", "\u001f\u008b\b")],
    "ERR_INPUT",
    /m\.gz/,
  ],
  [
    "more groups than cells",
    () => [file("v", new Uint8Array(4)), "--json", "--by", file("c", new Uint8Array(16).fill(255))],
    "ERR_LIMIT",
    /./,
  ],
  ["standard input twice", () => ["-", "--mask", "-"], "ERR_INPUT", /- for one input/],
  [
    "a plot over the mask",
    () => {
      const mask = file("m.svg", "abc");
      return [abc(), "--mask", mask, "--svg", mask];
    },
    "ERR_INPUT",
    /the file of --mask/,
  ],
])("%s is refused", ([, args, code, says]) => refused(["hist", ...args(), ...CPU], code, says));

test("a mask of another size is refused", async () => {
  const picture = (width: number, height: number) =>
    file(`${width}.png`, encode({ width, height, channels: 1, depth: 8, data: new Uint8Array(6) }));
  const says = /2 x 3 pixels, as 2.png has, for --mask but 3.png has 3 x 2/;
  await refused(["hist", picture(2, 3), "--mask", picture(3, 2), ...CPU], "ERR_INPUT", says);
});
