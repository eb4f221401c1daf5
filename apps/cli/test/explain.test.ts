import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { emptyWarning, file, here, hist, noise, refused } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];
const PISCINA = ["--backend", "piscina", "--threads", "2"];
const floats = new Uint8Array(Float32Array.from({ length: 1000 }, (_, i) => (i * i) / 7 - 20).buffer);

/** `polybin hist … --explain`, which must succeed and say nothing on stderr. */
async function explain(args: readonly string[], stdin?: Uint8Array): Promise<string> {
  const { code, stdout, stderr } = await here(["hist", ...args, "--explain"], stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("as text", () => {
  test("a picture on cpu", async () => {
    const text = await explain([sample, "--bins", "8", "--channel", "g", ...CPU]);
    expect(text.split("\n")).toEqual([
      "evening.png  640 x 480 pixels of u8, 8 bins over [0, 256]",
      "channels: g",
      expect.stringMatching(/^cpu, \d+ JavaScript threads?$/),
      "sequential: 1 x 1 threads, 1 x 256 counters of 32 bits, 0 bytes per block",
      "kernel: loop",
      "",
    ]);
  });

  test("values on workers, with a parameter and the workers' own part", async () => {
    const options = [...PISCINA, "--algorithm", "trish", "--k", "5"];
    const text = await explain([file("b", noise(2 ** 21)), ...options]);
    const [title, device, ...launch] = text.split("\n");
    expect([title, device]).toEqual([
      "b  2,097,152 values of u8, 256 bins over [0, 256)",
      "piscina, 2 workers",
    ]);
    // The plan's line is wrapped.
    expect(text).toMatch(/\ntrish: .* counters of 8 bits,\s.*\sk 5,\s[^:]*reduce\stables\n/s);
    expect(launch).toContain("kernel: trish");
    expect(launch).toContain("workers: 2");
    // Few are counted where the call is made.
    expect(await explain([file("b", noise(5000)), ...options])).toContain("\nworkers: 0\n");
  });

  test("a file's name gives no orders to a terminal", async () => {
    expect(await explain([file("a\u001b[31mb", Uint8Array.of(0)), ...CPU])).not.toContain("\u001b");
  });
});

describe("as JSON, it is what hist would do", () => {
  /** The name FILE stands for a file of the bytes, - for a pipe of them. */
  test.for<[string, string[], Uint8Array?]>([
    ["a picture", [sample, ...CPU]],
    ["a picture on workers", [sample, ...PISCINA]],
    ["one channel of it", [sample, "--channel", "b", "--bins", "7", ...PISCINA]],
    ["its grey", [sample, "--channel", "grey", ...CPU]],
    ["bytes", ["FILE", "--range", "3,90", ...PISCINA, "--algorithm", "per-warp"], noise(3001)],
    ["floats over edges", ["FILE", "--type", "f32", "--edges", "0,1,5", ...CPU], floats],
    ["floats over their own range on cpu", ["FILE", "--type", "f32", ...CPU], floats],
    ["floats over their own range on workers", ["FILE", "--type", "f32", ...PISCINA], floats],
    ["floats of a pipe over their own range", ["-", "--type", "f32", ...CPU], floats],
    ["nothing", ["FILE", "--backend", "auto"], new Uint8Array(0)],
  ])("%s", async ([, given, bytes]) => {
    const args = given[0] === "FILE" ? [file("values", bytes!), ...given.slice(1)] : given;
    const stdin = given[0] === "-" ? bytes : undefined;
    const told = await explain([...args, "--json"], stdin);
    expect(told.indexOf("\n")).toBe(told.length - 1);
    const { launch, ...found } = JSON.parse(told);
    expect(Object.keys(found)).toEqual("input backend device algorithm axis plan".split(" "));
    const { input, backend, device, algorithm, axis, plan } = JSON.parse(
      JSON.stringify(await hist(args, stdin, bytes?.length === 0 ? emptyWarning("values") : "")),
    );
    expect(found).toEqual({ input, backend, device, algorithm, axis, plan });
    expect(typeof launch).toBe("object");
  });

  test("a pipe that is not read has no number of samples, and ends at once", async () => {
    const { input, plan } = JSON.parse(await explain(["-", "--json", ...PISCINA], noise(100_000)));
    expect([input.samples, plan.samples]).toEqual([null, null]);
    expect(await explain(["-", ...PISCINA], noise(100_000))).toMatch(
      /^standard input {2}a stream of u8, 256 bins/,
    );
  });
});

describe("refuses", () => {
  test.for([["--csv"], ["--svg", "x.svg"], ["--png", "x.png"]])("%s", async (other) => {
    const says = new RegExp(`either --explain, which counts nothing, or ${other[0]} but received both`);
    await refused(["hist", sample, "--explain", ...other], "ERR_INPUT", says);
  });

  test("what cannot be planned, with the sentence that says why", async () => {
    const args = [sample, "--explain", "--backend", "cpu", "--algorithm", "per-thread-64"];
    await refused(["hist", ...args], "ERR_UNSUPPORTED", /at most 64 bins and the request has 256/);
    await refused(
      ["hist", sample, "--explain", ...PISCINA, "--algorithm", "bank-owned"],
      "ERR_UNSUPPORTED",
      /./,
    );
  });

  test("what hist refuses", async () => {
    await refused(["hist", sample, "--explain", "--channel", "c"], "ERR_INPUT", /r, g, b, grey, all/);
    await refused(["hist", file("x", "abc"), "--explain", "--type", "f64"], "ERR_INPUT", /8 bytes each/);
    await refused(["hist", "-", "--explain", "--type", "u16"], "ERR_INPUT", /2 bytes each/, noise(3));
    await refused(["hist", sample, "--explain", "--explain"], "ERR_INPUT", /expected --explain once/);
  });
});
