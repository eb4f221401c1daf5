import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import { file, MAIN, noise, polybin, refused, scratch } from "./command.ts";

const three = Uint8Array.of(1, 2, 3);

test.for<[string, string[], string, RegExp]>([
  ["NaN range", ["--range", "nan,3"], "ERR_AXIS", /NaN/],
  ["infinite range", ["--range=0,inf"], "ERR_AXIS", /Infinity/],
  ["lo = hi", ["--range", "3,3"], "ERR_AXIS", /above lo \(3\)/],
  ["lo > hi", ["--range", "-3,-4"], "ERR_AXIS", /above lo \(-3\)/],
  ["half a range", ["--range", "3"], "ERR_INPUT", /LO,HI/],
  ["a range of three", ["--range", "1,2,3"], "ERR_INPUT", /LO,HI/],
  ["a range of words", ["--range", "a,b"], "ERR_INPUT", /"a"/],
  ["a range that is no word of ours", ["--range", "dta"], "ERR_INPUT", /LO,HI, data or type .*"dta"/],
  [
    "the range of the type of floats",
    ["--range", "type", "--type", "f32"],
    "ERR_INPUT",
    /f32 has no finite range of its own/,
  ],
  ["edges beside the data's range", ["--edges", "0,1", "--range", "data"], "ERR_INPUT", /--range too/],
  ["edges that do not ascend", ["--edges", "0,2,1"], "ERR_AXIS", /edges\[2\]/],
  ["equal edges", ["--edges", "0,1,1"], "ERR_AXIS", /edges\[2\]/],
  ["one edge", ["--edges", "5"], "ERR_AXIS", /at least two/],
  ["NaN among the edges", ["--edges", "0,nan"], "ERR_AXIS", /edges\[1\]/],
  ["edges beside bins", ["--edges", "0,1", "--bins", "4"], "ERR_INPUT", /--bins too/],
  ["edges beside a range", ["--edges", "0,1", "--range", "0,4"], "ERR_INPUT", /--range too/],
  ["0 bins", ["--bins", "0"], "ERR_AXIS", /received 0/],
  ["0 bins of a range", ["--bins", "0", "--range", "0,1"], "ERR_AXIS", /received 0/],
  ["-1 bins", ["--bins", "-1"], "ERR_AXIS", /received -1/],
  ["1.5 bins", ["--bins", "1.5"], "ERR_AXIS", /received 1.5/],
  ["NaN bins", ["--bins", "nan"], "ERR_AXIS", /NaN/],
  ["bins in words", ["--bins", "many"], "ERR_INPUT", /"many"/],
  ["bins in hexadecimal", ["--bins", "0x10"], "ERR_INPUT", /"0x10"/],
  ["bins named like a method", ["--bins", "constructor"], "ERR_INPUT", /"constructor"/],
  ["a range of the prototype", ["--range", "__proto__,1"], "ERR_INPUT", /"__proto__"/],
  ["too many bins", ["--bins", "65537"], "ERR_LIMIT", /65536/],
  ["an unknown type", ["--type", "u4"], "ERR_INPUT", /u8, i8/],
  ["an unknown backend", ["--backend", "abacus"], "ERR_INPUT", /auto, cpu, piscina, native, webgpu, cuda/],
  ["an unknown algorithm", ["--algorithm", "bogo"], "ERR_UNSUPPORTED", /"bogo"/],
  [
    "an algorithm that a backend has not",
    ["--backend", "piscina", "--algorithm", "bank-owned"],
    "ERR_UNSUPPORTED",
    /./,
  ],
  [
    "more bins than an algorithm has",
    ["--backend", "cpu", "--algorithm", "per-thread-64"],
    "ERR_UNSUPPORTED",
    /64/,
  ],
  ["k beside another algorithm", ["--k", "3", "--algorithm", "per-lane"], "ERR_INPUT", /trish/],
  ["k beside none", ["--k", "3"], "ERR_INPUT", /trish/],
  ["k of 0", ["--k", "0", "--algorithm", "trish"], "ERR_INPUT", /1 to 63/],
  ["k of 64", ["--k", "64", "--algorithm", "trish"], "ERR_INPUT", /1 to 63/],
  ["k of 1.5", ["--k", "1.5", "--algorithm", "trish"], "ERR_INPUT", /1 to 63/],
  ["no threads", ["--threads", "0"], "ERR_INPUT", /--threads/],
  ["more threads than a backend takes", ["--threads", "257"], "ERR_INPUT", /from 1 to 256 for --threads/],
  ["bins twice", ["--bins", "4", "--bins", "8"], "ERR_INPUT", /expected --bins once/],
  ["a wrong value first", ["--bins", "many", "--bins=8"], "ERR_INPUT", /expected --bins once/],
  ["a flag twice", ["--json", "--json"], "ERR_INPUT", /expected --json once/],
  ["half a thread", ["--threads", "0.5"], "ERR_INPUT", /--threads/],
  ["an unknown option", ["--colour"], "ERR_INPUT", /--colour/],
  ["an option without its value", ["--bins"], "ERR_INPUT", /--bins/],
  ["json beside csv", ["--json", "--csv"], "ERR_INPUT", /--json or --csv/],
  ["an unknown scale", ["--scale", "sqrt"], "ERR_INPUT", /linear, log for --scale but received "sqrt"/],
  ["a scale of numbers", ["--scale", "log", "--json"], "ERR_INPUT", /either --scale or --json/],
  ["a scale of a table", ["--scale", "log", "--csv"], "ERR_INPUT", /either --scale or --csv/],
  ["a scale of a plan", ["--scale", "log", "--explain"], "ERR_INPUT", /either --scale or --explain/],
  ["percentiles above 100", ["--percentiles", "50,100.1"], "ERR_INPUT", /0 to 100, .* received "100.1"/],
  ["negative percentiles", ["--percentiles=-1"], "ERR_INPUT", /received "-1"/],
  ["percentiles in words", ["--percentiles", "median"], "ERR_INPUT", /received "median"/],
  ["no percentiles", ["--percentiles", ""], "ERR_INPUT", /received ""/],
  ["percentiles in a table", ["--percentiles", "5", "--csv"], "ERR_INPUT", /either --percentiles or --csv/],
  [
    "percentiles of segments",
    ["--percentiles", "5", "--every", "2", "--json"],
    "ERR_INPUT",
    /either --percentiles or --every/,
  ],
  ["an unknown channel", ["--channel", "x"], "ERR_INPUT", /"x"/],
  ["a channel of plain bytes", ["--channel", "r"], "ERR_INPUT", /not a picture/],
  ["3 bytes for f64", ["--type", "f64"], "ERR_INPUT", /8 bytes each/],
  ["3 bytes for u16", ["--type", "u16", "--range", "0,9"], "ERR_INPUT", /2 bytes each/],
  ["a plot in a folder that is not there", ["--svg", "/nowhere/at/all.svg"], "ERR_INPUT", /nowhere/],
])("%s", async ([, args, code, says]) => {
  await refused(["hist", file("three", three), ...args], code, says);
});

test("a backend without a device", async ({ skip }) => {
  const listed = JSON.parse((await polybin(["backends", "--json"])).stdout) as {
    id: string;
    available: boolean;
    reason: string | null;
  }[];
  const { available, reason } = listed.find(({ id }) => id === "cuda")!;
  if (available) skip("there is one: cuda works on this machine");
  expect(reason).toMatch(/^(no CUDA device|the addon could not be loaded)/);
  await refused(
    ["hist", file("three", three), "--backend", "cuda"],
    "ERR_UNAVAILABLE",
    new RegExp(reason!.slice(0, 20)),
  );
});

test("an option given twice, of any command", async () => {
  await refused(["weighted", "x", "--bins", "4", "--bins", "4"], "ERR_INPUT", /expected --bins once/);
  await refused(["backends", "--json", "--json"], "ERR_INPUT", /expected --json once/);
  await refused(["dashboard", "--port", "0", "--port", "1"], "ERR_INPUT", /expected --port once/);
});

test("3 bytes for f64 from a pipe, with and without a range", async () => {
  await refused(["hist", "-", "--type", "f64"], "ERR_INPUT", /whole number of f64/, three);
  await refused(["hist", "-", "--type", "f64", "--range", "0,1"], "ERR_INPUT", /whole number of f64/, three);
});

test("a missing file, a folder, two files", async () => {
  const folder = scratch();
  await refused(["hist", `${folder}/none.png`], "ERR_INPUT", /no such file/);
  await refused(
    ["hist", folder],
    "ERR_INPUT",
    /expected a folder with files that end in .*\.csv.* but found none/,
  );
  await refused(["hist", ""], "ERR_INPUT", /received ""/);
  await refused(["hist", `${folder}/a`, `${folder}/b`], "ERR_INPUT", /no such file/);
  const bytes = file("x.bin", Uint8Array.of(0, 1));
  await refused(["hist", bytes, bytes], "ERR_INPUT", /several tables, but received 2 files; .* is no table/);
});

test("a file that opens and cannot be read", async (context) => {
  if (process.platform !== "linux") context.skip("/proc is Linux's");
  await refused(["hist", "/proc/self/mem"], "ERR_INPUT", /cannot read the input: EIO/);
});

test("a command or an option that there is not", async () => {
  await refused(["hits", "x.png"], "ERR_INPUT", /"hits"/);
  await refused(["--colour"], "ERR_INPUT", /--colour/);
  await refused(["backends", "x"], "ERR_INPUT", /too many arguments/);
});

test("a PNG cut short anywhere, or damaged, is never counted in part", async () => {
  const whole = encode({ width: 40, height: 30, channels: 3, depth: 8, data: noise(3600) });
  for (const left of [9, 33, 60, whole.length >> 1, whole.length - 20, whole.length - 12, whole.length - 1]) {
    await refused(["hist", file("cut.png", whole.subarray(0, left))], "ERR_INPUT", /cut\.png/);
  }
  const damaged = whole.slice();
  damaged[damaged.length >> 1]! ^= 1;
  await refused(["hist", file("bad.png", damaged)], "ERR_INPUT", /checksum/);
  await refused(["hist", "-"], "ERR_INPUT", /it ends/, whole.subarray(0, -5));
});

test("a picture cut short in other formats", async () => {
  const { default: sharp } = await import("sharp");
  const picture = () => sharp(noise(3600), { raw: { width: 40, height: 30, channels: 3 } });
  for (const [name, bytes] of [
    ["x.jpg", await picture().jpeg().toBuffer()],
    ["x.webp", await picture().webp({ lossless: true }).toBuffer()],
    ["x.tif", await picture().tiff({ compression: "lzw" }).toBuffer()],
    ["x.gif", await picture().gif().toBuffer()],
    ["x.avif", await picture().avif().toBuffer()],
  ] as const) {
    await refused(
      ["hist", file(name, bytes.subarray(0, bytes.length >> 1))],
      "ERR_INPUT",
      /is damaged.*--lenient/,
    );
  }
});

test("a picture that cannot be decoded here, a channel it has not, a type that is not its own", async () => {
  const bmp = Buffer.concat([
    Buffer.from("BM"),
    Buffer.from([70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40]),
    noise(60),
  ]);
  await refused(["hist", file("x.bmp", bmp)], "ERR_UNSUPPORTED", /BMP.*--raw/);
  expect((await polybin(["hist", file("x.bmp", bmp), "--raw"])).code).toBe(0);
  const grey = fileURLToPath(new URL("fixtures/grey16.png", import.meta.url));
  await refused(["hist", grey, "--channel", "r"], "ERR_INPUT", /grey, all/);
  await refused(["hist", grey, "--type", "f32"], "ERR_INPUT", /--type u16.*--raw/);
});

test("a plot never overwrites the input or the other plot", async () => {
  const path = file("three", three);
  await refused(["hist", path, "--svg", path], "ERR_INPUT", /the input itself/);
  await refused(["hist", path, "--png", `${path}/../three`], "ERR_INPUT", /./);
  await refused(
    ["hist", path, "--svg", `${path}.x`, "--png", `${path}.x`],
    "ERR_INPUT",
    /another file for --png/,
  );
  expect(readFileSync(path)).toEqual(Buffer.from(three));
});

test("floats whose range cannot be had", async () => {
  const path = file("huge", new Uint8Array(Float64Array.of(-1.7e308, 1.7e308).buffer));
  await refused(["hist", path, "--type", "f64"], "ERR_AXIS", /give range/);
});

test("a folder on standard input", () => {
  const folder = openSync(scratch(), "r");
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, "hist", "-"], {
      stdio: [folder, "pipe", "pipe"],
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: .* it is a folder\n$/);
  } finally {
    closeSync(folder);
  }
});
