import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type HistOptions, parseRequest } from "../src/hist/request.ts";
import { emptyWarning, file, noise, polybin, refused, tally } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu"];
const PISCINA = ["--backend", "piscina", "--threads", "2"];

/** What `--json` prints of segments. */
interface Printed {
  readonly input: { readonly kind: string; readonly samples: number };
  readonly backend: string;
  readonly algorithm: string;
  readonly plan: { readonly segments: object };
  readonly axis: { readonly type: string; readonly bins: number; readonly edges: readonly number[] };
  readonly segments: number;
  readonly counts: readonly (readonly number[])[];
  readonly underflow: readonly number[];
  readonly overflow: readonly number[];
  readonly nan: readonly number[];
  readonly timings: { readonly totalMs: number };
}

async function json(args: readonly string[], stdin?: Uint8Array, warning = ""): Promise<Printed> {
  const { code, stdout, stderr } = await polybin(["hist", ...args, "--json"], stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: warning });
  return JSON.parse(stdout) as Printed;
}

test.for([
  ["a file", CPU],
  ["a file on workers", PISCINA],
  ["a pipe", CPU],
] as const)("--every of %s", async ([what, backend]) => {
  const bytes = noise(10_001);
  const args = ["--every", "4096", ...backend];
  const found = await (what === "a pipe" ? json(["-", ...args], bytes) : json([file("b", bytes), ...args]));
  expect(found).toMatchObject({
    input: { kind: "raw", samples: 10_001 },
    backend: backend[1],
    algorithm: "per-segment",
    plan: { segments: { count: 3, longest: 4096 } },
    axis: { type: "integer", bins: 256 },
    segments: 3,
    underflow: [0, 0, 0],
    overflow: [0, 0, 0],
    nan: [0, 0, 0],
  });
  expect(found.counts).toEqual(
    [bytes.subarray(0, 4096), bytes.subarray(4096, 8192), bytes.subarray(8192)].map((part) =>
      tally(part, 256),
    ),
  );
  expect(found.timings.totalMs).toBeGreaterThan(0);
});

test("--every of floats over the data's range, and what is in no bin", async () => {
  const values = Float32Array.of(0, 1, 2, Number.NaN, 9, 10);
  const path = file("f", new Uint8Array(values.buffer));
  const args = [path, "--type", "f32", "--bins", "2", "--every", "4", ...CPU];
  expect(await json(args)).toMatchObject({
    axis: { edges: [0, 5, 10] },
    counts: [
      [3, 0],
      [0, 2],
    ],
    nan: [1, 0],
  });
  const { stdout } = await polybin(["hist", ...args, "--range", "1,2", "--csv"]);
  expect(stdout).toBe("segment,1,1.5,underflow,overflow,nan\n0,1,1,1,0,1\n1,0,0,0,2,0\n");
});

test("--tiles of a picture's channel, on workers as on one thread", async () => {
  const args = [sample, "--channel", "g", "--tiles", "100x64", "--bins", "16"];
  const found = await json([...args, ...CPU]);
  expect(found).toMatchObject({ input: { kind: "image" }, segments: 7 * 8, axis: { bins: 16 } });
  const sums = found.counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  // 640 x 480: the last column is 40 wide, the last row 32 high.
  expect([sums[0], sums[6], sums[49], sums[55]]).toEqual([6400, 40 * 64, 3200, 40 * 32]);
  expect((await json([...args, ...PISCINA])).counts).toEqual(found.counts);
  const { stdout } = await polybin(["hist", ...args, "--csv", ...CPU]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(57);
  expect(lines[3]).toBe([2, ...found.counts[2]!, 0, 0, 0].join(","));
});

test("--explain says how segments would be counted", async () => {
  const { stdout, code } = await polybin([
    "hist",
    sample,
    "--channel",
    "r",
    "--tiles",
    "64x64",
    "--explain",
    ...CPU,
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/80\s+segments\s+of\s+up\s+to\s+4096/);
});

test.for<[Partial<HistOptions>, RegExp]>([
  [{ every: "10" }, /--json or --csv with --every/],
  [{ tiles: "8x8" }, /--json or --csv with --tiles/],
  [{ every: "10", tiles: "8x8", json: true }, /either --every or --tiles/],
  [{ every: "0", json: true }, /a whole number from 1 .* for --every but received 0/],
  [{ every: "1.5", json: true }, /for --every/],
  [{ every: "many", csv: true }, /a number for --every/],
  [{ tiles: "8", json: true }, /WxH, such as 64x64, for --tiles/],
  [{ tiles: "8x8x8", json: true }, /WxH/],
  [{ tiles: "0x8", json: true }, /for --tiles but received 0/],
  [{ every: "10", svg: "x.svg", json: true }, /either --every or --svg/],
  [{ every: "10", png: "x.png", json: true }, /either --every or --png/],
])("%j is refused", ([options, says]) => {
  const read = () => parseRequest({ channel: "all", backend: "cpu", algorithm: "auto", ...options });
  expect(read).toThrow(expect.objectContaining({ code: "ERR_INPUT", message: expect.stringMatching(says) }));
});

test("several channels are not cut at once", async () => {
  const says = /one channel to cut but evening.png has r, g, b; name one, as in --channel r/;
  await refused(["hist", sample, "--every", "10", "--json", ...CPU], "ERR_INPUT", says);
});

test("what is no picture has no tiles, and other algorithms no segments", async () => {
  const path = file("b", noise(100));
  await refused(
    ["hist", path, "--tiles", "8x8", "--json", ...CPU],
    "ERR_INPUT",
    /a picture for --tiles but b is not a picture; --every cuts any file/,
  );
  const other = ["hist", path, "--every", "10", "--json", ...CPU, "--algorithm", "sequential"];
  await refused(other, "ERR_UNSUPPORTED", /sequential cannot count segments/);
});

test("no samples are no segments", async () => {
  const found = await json([file("b", ""), "--every", "10", ...CPU], undefined, emptyWarning("b"));
  expect(found).toMatchObject({ segments: 0, counts: [] });
});
