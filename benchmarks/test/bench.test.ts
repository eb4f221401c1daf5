import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it, onTestFinished } from "vitest";
import type { Results } from "../src/result.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Smallest data on the CPU's backends. */
const SMALL = "--quick --backend cpu,piscina --peers js-loop --n 8192".split(" ");

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-bench-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, NO_COLOR: "1" } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}

const read = (file: string): Results => JSON.parse(readFileSync(file, "utf8"));

it("measures, prints a table, and writes exact rows with their runs", { timeout: 60_000 }, async () => {
  const file = join(scratch(), "folder", "out.json");
  const { code, stdout, stderr } = await run([...SMALL, "--distribution", "uniform,zeros", "--json", file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Worst over best distribution/m);
  expect(stdout).toMatch(/^ {2}piscina per-lane.* {2,}[\d.]+/m);
  const ajv = new Ajv2020({ allowUnionTypes: true });
  const isOf = ajv.compile(
    JSON.parse(readFileSync(new URL("../result.schema.json", import.meta.url), "utf8")),
  );
  isOf(read(file));
  expect(isOf.errors ?? []).toEqual([]);
  const { rows, missing } = read(file);
  expect(rows.every(({ exact, ms }) => exact && ms.length >= 5)).toBe(true);
  expect(new Set(rows.map(({ backend, peer }) => backend ?? peer))).toEqual(
    new Set(["cpu", "piscina", "js-loop"]),
  );
  expect(missing).toContainEqual(expect.stringMatching(/^cpu .*made to be read/));
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
});

it("an interrupted run leaves a valid file that says so", { timeout: 60_000 }, async () => {
  const file = join(scratch(), "out.json");
  const child = spawn(process.execPath, [
    MAIN,
    "--backend",
    "cpu,piscina",
    "--peers",
    "none",
    "--json",
    file,
  ]);
  const ended = once(child, "close");
  while (!existsSync(file) || readFileSync(file, "utf8") === "" || read(file).rows.length === 0)
    await sleep(20);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  const { rows, missing } = read(file);
  expect(rows.length).toBeGreaterThan(0);
  expect(missing.at(-1)).toBe("the rest: the run was ended from outside");
});

it("a run without time says what it left out", { timeout: 60_000 }, async () => {
  const { code, stdout } = await run([
    "--quick",
    "--backend",
    "cpu",
    "--peers",
    "none",
    "--budget",
    "0.001",
    "--json",
    "-",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).missing).toContainEqual(
    expect.stringMatching(/^\d+ cells of the line "sizes": the time was used up$/),
  );
});

it("wrong use is one line on stderr and exit code 2", async () => {
  for (const args of [
    ["--budget", "-1"],
    ["--json", "/dev/null/x.json"],
    ["--compare", MAIN],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[ERR_INPUT\]: [^\n]+\n$/);
  }
});
