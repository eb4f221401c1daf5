import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { Results } from "../src/runner/row.ts";
import { errorsOf, scratch as newFolder, read } from "./shared.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const OLD = fileURLToPath(new URL("../results/amd-epyc-2/axes-quick.json", import.meta.url));
/** Smallest data on the CPU's backends. */
const SMALL = "--quick --backend cpu,piscina --peers js-loop --n 8192".split(" ");

const scratch = () => newFolder(onTestFinished);

async function run(args: readonly string[], cwd = scratch()) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

it("measures, prints a table, and writes exact rows with their runs", { timeout: 60_000 }, async () => {
  const file = join(scratch(), "folder", "out.json");
  const { code, stdout, stderr } = await run([...SMALL, "--distribution", "uniform,zeros", "--json", file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Throughput on the worst over the best distribution/m);
  expect(stdout).toMatch(/^ {2}piscina per-lane.* {2,}[\d.]+/m);
  expect(errorsOf(read(file))).toEqual([]);
  const { rows, missing } = read(file);
  expect(rows.every(({ exact, ms }) => exact && ms.length >= 5)).toBe(true);
  expect(new Set(rows.map(({ backend, peer }) => backend ?? peer))).toEqual(
    new Set(["cpu", "piscina", "js-loop"]),
  );
  expect(missing).toContainEqual(expect.stringMatching(/^cpu .*simulate the papers' steps/));
});

it("--call measures call by call, and prints medians and 99th percentiles", { timeout: 60_000 }, async () => {
  const file = join(scratch(), "calls.json");
  const args = [...SMALL, "--algorithm", "sequential", "--call", "count,countSync", "--json", file];
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Calls: .*µs, median \(99th percentile\)$/m);
  expect(stdout).toMatch(/^ {2}cpu sequential, 1 thread, countSync +[\d.]+ \([\d.]+\)$/m);
  const { rows } = read(file);
  expect(rows.map(({ backend, peer, call }) => [backend ?? peer, call])).toEqual(
    expect.arrayContaining([
      ["cpu", "count"],
      ["cpu", "countSync"],
      ["js-loop", "count"],
    ]),
  );
  expect(rows.every(({ exact, ms, p99 }) => exact && p99! >= Math.min(...ms))).toBe(true);
});

it("--resume measures only what is not there; another commit's file is not taken over", {
  timeout: 60_000,
}, async () => {
  const file = join(scratch(), "out.json");
  await run([...SMALL, "--json", file]);
  const before = read(file).rows;
  await run([...SMALL, "--distribution", "uniform,zeros", "--json", file, "--resume"]);
  const { rows, ...rest } = read(file);
  expect(rows.slice(0, before.length)).toEqual(before);
  expect(rows.slice(before.length).map(({ distribution }) => distribution)).toEqual(
    before.map(() => "zeros"),
  );
  writeFileSync(file, JSON.stringify({ ...rest, commit: "0".repeat(40), rows }));
  const { stderr } = await run([...SMALL, "--json", file, "--resume"]);
  expect(stderr).toMatch(/another commit or machine/);
  expect(read(file).rows).toHaveLength(before.length);
});

it("--json - prints the results, --compare the changes; a slower cell ends with 1", {
  timeout: 60_000,
}, async () => {
  const folder = scratch();
  const [file, old, changes] = ["new.json", "old.json", "changes.json"].map((name) => join(folder, name));
  await run([...SMALL, "--json", file!]);
  const { rows, ...rest } = read(file!);
  const times = (factor: number) => rows.map((row) => ({ ...row, ms: row.ms.map((ms) => ms * factor) }));
  writeFileSync(old!, JSON.stringify({ ...rest, rows: times(0.001) }));
  const slower = await run(["--compare", old!, "--with", file!, "--changes", changes!]);
  expect(slower.code).toBe(1);
  expect(slower.stdout).toMatch(/^ {2}slower {3}piscina per-lane/m);
  const { changes: found } = JSON.parse(readFileSync(changes!, "utf8"));
  expect(found.every(({ verdict }: { verdict: string }) => verdict === "slower")).toBe(true);
  writeFileSync(old!, JSON.stringify({ ...rest, rows: times(1000) }));
  expect((await run(["--compare", old!, "--with", file!])).code).toBe(0);
  writeFileSync(changes!, JSON.stringify({ ...rest, rows: rows.filter(({ peer }) => peer !== null) }));
  expect((await run(["--compare", old!, "--with", changes!])).code).toBe(2);
  writeFileSync(changes!, JSON.stringify({ ...rest, rows: rows.slice(0, 1) }));
  const gone = await run(["--compare", old!, "--with", changes!]);
  expect(gone.code).toBe(1);
  expect(gone.stdout).toMatch(/^Gone, although time was left: \d+ cells\n {2}/m);
  expect((await run(["--compare", `${old},${file}`, "--with", `${file},${old}`])).code).toBe(0);
});

it("an interrupted run leaves a valid file that says so, and no folder, however often it is told", {
  timeout: 60_000,
}, async () => {
  const folder = scratch();
  const [file, temporary] = [join(folder, "out.json"), join(folder, "tmp")];
  mkdirSync(temporary);
  const args = [MAIN, "--quick", "--backend", "cpu,piscina", "--peers", "none", "--json", file];
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR: temporary } });
  const ended = once(child, "close");
  while (!existsSync(file) || readFileSync(file, "utf8") === "" || read(file).rows.length === 0)
    await sleep(20);
  const telling = setInterval(() => child.kill("SIGINT"), 1);
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  clearInterval(telling);
  const { rows, missing } = read(file);
  expect(rows.length).toBeGreaterThan(0);
  expect(missing.at(-1)).toBe("the rest: a signal ended the run");
  expect(readdirSync(temporary)).toEqual([]);
});

it("a run without time says what it left out, and has nothing to compare", { timeout: 60_000 }, async () => {
  const args = "--quick --backend cpu --peers none".split(" ");
  const none = await run([...args, "--budget", "0.001", "--json", "-"]);
  expect(none.code).toBe(0);
  const { missing } = JSON.parse(none.stdout) as Results;
  expect(missing).toContainEqual(
    expect.stringMatching(/^cpu sequential, 1 thread: u8 uniform, .*, resident: the time was used up$/),
  );
  const old = join(scratch(), "old.json");
  await run([...args, "--n", "8192", "--json", old]);
  const file = join(scratch(), "none.json");
  writeFileSync(file, none.stdout);
  expect(await run(["--compare", old, "--with", file])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]: cannot compare with .*shares no cell of ours/),
  });
});

it("a run of some cells writes where the user is, and never over what it is compared with", {
  timeout: 60_000,
}, async () => {
  const folder = realpathSync(scratch());
  const [file, other] = ["polybin-bench.json", "other.json"].map((name) => join(folder, name));
  const { code, stdout } = await run(SMALL, folder);
  expect({ code, last: stdout.trim().split("\n").at(-1) }).toEqual({ code: 0, last: file });
  const { rows } = read(file!);
  const again = await run([...SMALL, "--compare", file!], folder);
  expect(again).toMatchObject({ code: 2, stdout: "" });
  expect(again.stderr).toMatch(/^error\[ERR_INPUT\]: expected different files for --json/);
  expect(read(file!).rows).toEqual(rows);
  symlinkSync(file!, other!);
  expect((await run([...SMALL, "--compare", file!, "--json", other!])).code).toBe(2);
  expect((await run(["--compare", file!, "--with", file!, "--changes", other!])).code).toBe(2);
  expect(read(file!).rows).toEqual(rows);
});

it("a file that holds no results is told before anything is measured, and is left as it is", {
  timeout: 60_000,
}, async () => {
  const bad = join(scratch(), "bad.json");
  const text = JSON.stringify({ ...read(OLD), rows: [null] });
  writeFileSync(bad, text);
  for (const args of [
    ["--compare", bad],
    ["--compare", OLD, "--with", bad],
    [...SMALL, "--json", bad, "--resume"],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: .*bad\.json: row 0: it is null\n$/);
  }
  expect(readFileSync(bad, "utf8")).toBe(text);
});

it("a suite's help is help, and what is no suite is told", { timeout: 60_000 }, async () => {
  expect(await run(["--suite", "workers", "--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Usage/),
  });
  for (const [args, words] of [
    [["--suite", "nope"], /one of workers, .*headline.* for --suite but received "nope"/],
    [["--suite"], /for --suite but received ""/],
    [["--quick", "--suite", "workers"], /before all other options/],
    [["--suite", "workers", "--quick"], /no options for the suite workers/],
    [["--suite", "headline", "--nope"], /--nope/],
  ] as const) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+\n$/);
    expect(stderr).toMatch(words);
  }
});

it("wrong use is one line on stderr and exit code 2", { timeout: 60_000 }, async () => {
  for (const args of [
    ["--budget", "-1"],
    ["--json", "/dev/null/x.json"],
    ["--compare", MAIN],
    ["--compare", OLD, "--changes", "/dev/null/x.json"],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+\n$/);
  }
});
