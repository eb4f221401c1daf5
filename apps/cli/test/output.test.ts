import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "fast-png";
import { expect, test } from "vitest";
import { file, hist, noise, polybin, scratch, tally } from "./command.ts";

const sample = fileURLToPath(new URL("../sample/evening.png", import.meta.url));
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const CPU = ["--backend", "cpu", "--algorithm", "sequential"];

test("--json: one object on one line, its keys in their order", async () => {
  const { stdout, stderr, code } = await polybin(["hist", sample, "--json"]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(stdout.indexOf("\n")).toBe(stdout.length - 1);
  const found = JSON.parse(stdout);
  const keys = "input backend device algorithm plan axis channels timings".split(" ");
  expect(Object.keys(found)).toEqual(keys);
  expect(Object.keys(found.input)).toEqual(["name", "kind", "type", "samples", "width", "height"]);
  expect(Object.keys(found.axis)).toEqual(["type", "bins", "edges"]);
  for (const channel of found.channels) {
    expect(Object.keys(channel)).toEqual(["name", "counts", "underflow", "overflow", "nan"]);
  }
  expect(Object.keys(found.timings)).toEqual(["readMs", "uploadMs", "kernelMs", "totalMs"]);
  expect(found.axis.edges).toHaveLength(257);
  expect(found.plan).toMatchObject({ bins: 256, algorithm: found.algorithm });
});

test("--csv: a header and a line for each bin, then what fell outside", async () => {
  const { stdout } = await polybin(["hist", sample, "--csv", ...CPU]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(257);
  expect(lines[0]).toBe("bin,lo,hi,r,g,b");
  const found = await hist([sample]);
  expect(lines[201]).toBe([200, 200, 201, ...found.channels.map(({ counts }) => counts[200])].join(","));

  const bytes = Uint8Array.of(0, 1, 1, 2, 9);
  const raw = await polybin(["hist", file("b", bytes), "--csv", "--bins", "2", "--range", "1,2", ...CPU]);
  expect(raw.stdout).toBe("bin,lo,hi,count\n0,1,1.5,2\n1,1.5,2,1\nunderflow,,,1\noverflow,,,1\n");
});

test("the chart fits the page, and says totals, edges, flow, backend and algorithm", async () => {
  const { stdout } = await polybin(["hist", sample, "--range", "40,200", ...CPU]);
  const lines = stdout.split("\n");
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  expect(lines[0]).toBe("evening.png  640 x 480 pixels of u8, 256 bins over [40, 200]");
  for (const name of ["red", "green", "blue"])
    expect(stdout).toMatch(new RegExp(`^${name} [\\d,]+ counted`, "m"));
  expect(stdout).toMatch(/^outside the bins: underflow [\d,]+ · overflow [\d,]+$/m);
  expect(stdout).toMatch(
    /^cpu \(.*\), sequential\n.* m?s in total \(.*B\/s\): read and decoded in .* m?s, counted in .* m?s$/m,
  );
  expect(stdout).toMatch(/[▁▂▃▄▅▆▇█]/);
  expect(stdout).not.toContain("\u001b");
});

test("few bins are listed with their edges; their counts are exact", async () => {
  const bytes = noise(1000);
  const { stdout } = await polybin(["hist", file("b", bytes), "--bins", "4", ...CPU]);
  const counts = tally(
    bytes.map((value) => value >> 6),
    4,
  );
  for (const [i, count] of counts.entries()) {
    const close = i === 3 ? "]" : ")";
    expect(stdout).toMatch(new RegExp(`\\[${64 * i}, ${64 * i + 64}\\${close} +${count}\\b`));
  }
});

test("a file name cannot write to the terminal", async () => {
  const { stdout } = await polybin(["hist", file("a\u001b[31mb", Uint8Array.of(0)), ...CPU]);
  expect(stdout).not.toContain("\u001b");
});

test("--svg and --png draw a plot with a title, axes and a colour for each channel", async () => {
  const folder = scratch();
  const [svg, png] = [join(folder, "p.svg"), join(folder, "p.png")];
  const { code, stdout } = await polybin(["hist", sample, "--svg", svg, "--png", png, "--json", ...CPU]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).channels).toHaveLength(3);
  const drawn = readFileSync(svg, "utf8");
  expect(drawn).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  for (const text of [
    "evening.png",
    "640 × 480 pixels",
    "red: 307,200",
    "green:",
    "blue:",
    "value (8-bit integer)",
    "count",
  ]) {
    expect(drawn).toContain(text);
  }
  for (const colour of ["#d64545", "#3d9a50", "#3f6fd1"]) expect(drawn).toContain(colour);
  const { width, height } = decode(readFileSync(png));
  expect(width).toBeGreaterThan(1000);
  expect(height).toBeGreaterThan(600);
});

test.for([
  ["nothing", new Uint8Array(0), []],
  ["one value", Uint8Array.of(7), []],
  ["all outside", Uint8Array.of(7), ["--range", "100,101"]],
  ["65,536 bins", noise(5000), ["--type", "u16", "--bins", "65536"]],
  ["a logarithmic scale", Uint8Array.from(noise(5000), (v, i) => (i % 50 ? 3 : v)), []],
] as const)("plots and charts of %s", async ([, bytes, args]) => {
  const svg = join(scratch(), "p.svg");
  const outcome = await polybin(["hist", file("b", bytes), ...args, "--svg", svg, ...CPU]);
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(svg, "utf8")).not.toMatch(/NaN|Infinity|undefined/);
  expect(outcome.stdout).not.toMatch(/NaN|Infinity|undefined/);
  expect(statSync(svg).size).toBeLessThan(400_000);
});

test("a plot's text is escaped", async () => {
  const svg = join(scratch(), "p.svg");
  await polybin(["hist", file("<b>&.bin", Uint8Array.of(0)), "--svg", svg, ...CPU]);
  expect(readFileSync(svg, "utf8")).toContain("&lt;b&gt;&amp;.bin");
});

test("a reader that has seen enough is no error", async () => {
  const child = spawn(process.execPath, [main, "hist", sample, "--json", "--bins", "65536", ...CPU], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk) => errors.push(chunk));
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 0, stderr: "" });
});

test.for([["hist", sample, "--json", ...CPU], ["backends"], ["--help"]])(
  "a full disk on stdout is one line on stderr: %s",
  async (args, context) => {
    if (!existsSync("/dev/full")) context.skip("there is no /dev/full");
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    const errors: Buffer[] = [];
    child.stderr!.on("data", (chunk) => errors.push(chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(1);
    expect(Buffer.concat(errors).toString()).toBe(
      "error[ERR_OUTPUT]: cannot write the output: the disk is full (ENOSPC)\n",
    );
  },
);

test.for([["hist", sample, ...CPU], ["backends"], ["--help"]])(
  "a stdout that takes nothing is one line on stderr: %s",
  async (args) => {
    const readOnly = openSync(sample, "r");
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", readOnly, "pipe"] });
    closeSync(readOnly);
    const errors: Buffer[] = [];
    child.stderr!.on("data", (chunk) => errors.push(chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(1);
    expect(Buffer.concat(errors).toString()).toBe(
      "error[ERR_OUTPUT]: cannot write the output: it is closed, or open for reading only (EBADF)\n",
    );
  },
);

test("the exit code stays if nobody reads the message", async () => {
  const child = spawn(process.execPath, [main, "hist", "/no/such/file"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.destroy();
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
});

test.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a command that waits for its input, quietly", async ([signal, expected]) => {
  const child = spawn(process.execPath, [main, "hist", "-", "--backend", "piscina"], { stdio: "pipe" });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
  child.stdin.write(Buffer.alloc(1000));
  // Its handlers are there once it reads; what it has not read stays in the pipe.
  await new Promise((resolve) => child.stdin.write(Buffer.alloc(1 << 20), resolve));
  child.kill(signal);
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, said: Buffer.concat(said).toString() }).toEqual({ code: expected, said: "" });
});
