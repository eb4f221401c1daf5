import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resultsOf } from "../src/runner/report.ts";
import type { Row } from "../src/runner/row.ts";
import { CASES } from "../src/suites/cpu/cases.ts";
import { hostMain } from "../src/suites/host.ts";
import { cpuGoals, goalText } from "../src/tables/cpu-goals.ts";
import { errorsOf, read, rowOfPeer, rowWith, scratch } from "./shared.ts";

const folder = scratch();
const FILE = join(folder, "cpu.json");
/** One case of each kind of request that a program must understand. */
const KINDS = ["i16", "rgb of rgba8", "2 x f32", "f32 with weights", "f32 edges"];

it("every program counts each kind of samples as the reference does", { timeout: 240_000 }, async () => {
  await hostMain(["cpu"], ["--quick", "--out", folder, "--budget", "200", "--only", KINDS.join()]);
  const found = read(FILE);
  expect(errorsOf(found)).toEqual([]);
  expect(found.missing.filter((line) => /NOT EXACT|ended|did not answer|used up/.test(line))).toEqual([]);
  for (const kind of KINDS) {
    const of = found.rows.filter(({ type }) => type === kind);
    const names = new Set(of.map(({ backend, peer }) => backend ?? peer));
    expect([...names]).toEqual(expect.arrayContaining(["cpu", "js-loop"]));
    expect(of.every(({ backend, exact, variant }) => exact || backend === null || variant === "fast")).toBe(
      true,
    );
    expect(of.every(({ backend, grownBytes }) => (backend === null) === (grownBytes === undefined))).toBe(
      true,
    );
  }
});

it("a run of some cases keeps the rows of the others, if commit and machine are the same", async () => {
  const file = join(folder, "kept", "cpu.json");
  const options = ["--quick", "--out", join(folder, "kept"), "--budget", "1e-9", "--only", "i16"];
  await hostMain(["cpu"], options);
  const empty = read(file);
  expect(empty.missing.at(-1)).toMatch(/^i16, .* the time of its kind was used up$/);
  const rows = [rowWith({ type: "u8" }), rowWith({ type: "i16" })];
  writeFileSync(file, JSON.stringify({ ...empty, rows }));
  await hostMain(["cpu"], options);
  expect(read(file).rows.map(({ type }) => type)).toEqual(["u8"]);
  // Rows of a GPU stay, and so does its name.
  const machine = { ...empty.machine, gpu: "a GPU", driver: "1" };
  writeFileSync(file, JSON.stringify({ ...empty, machine, rows }));
  await hostMain(["cpu"], options);
  expect(read(file)).toMatchObject({ machine, rows: [{ type: "u8" }] });
  writeFileSync(file, JSON.stringify({ ...resultsOf({ rows, missing: [], commit: "unknown" }) }));
  await hostMain(["cpu"], options);
  expect(read(file).rows).toEqual([]);
});

it("an unknown case is refused, and so is a case of another suite", async () => {
  const refused = (names: string[], only: string) => expect(hostMain(names, ["--only", only])).rejects;
  await refused(["cpu"], "u8,u9").toThrow(/expected cases of the suite cpu for --only but received u9/);
  await refused(["calls"], "u8").toThrow(/but received u8/);
});

it("sizes of sorted samples are whole multiples of their levels", () => {
  for (const { cells } of CASES)
    for (const { n, distribution } of cells)
      if (distribution === "sorted") expect(n % Math.min(n, 2 ** 16)).toBe(0);
});

/** A call over uniform bytes whose throughput follows from its time. */
function call(more: Partial<Row> & Pick<Row, "ms">): Row {
  const n = more.n ?? 2 ** 22;
  return rowWith({
    type: "u8",
    bins: 256,
    n,
    call: "count",
    threads: 1,
    gbps: n / more.ms[0]! / 1e6,
    ...more,
  });
}

it("a goal is the worst cell, with the number of cells that reach it; noise is no loss", () => {
  const native = { backend: "native", call: "countSync" } as const;
  const c = { ...rowOfPeer("c"), threads: 1, call: "count" } as const;
  const rows = [
    call({ ...native, ms: [1] }),
    call({ ...c, ms: [2] }),
    call({ ...native, distribution: "zeros", ms: [1] }),
    call({ ...c, distribution: "zeros", ms: [0.5] }),
    call({ ...native, threads: 2, ms: [1.05] }),
    call({ ...native, threads: 4, ms: [3] }),
    call({ ...native, n: 64, ms: [0.004] }),
    call({ ...rowOfPeer("js-loop"), n: 64, ms: [0.001] }),
    call({ ...native, n: 2 ** 31, ms: [500], grownBytes: 2 ** 20 }),
  ];
  const texts = cpuGoals(rows).map(goalText);
  expect(texts).toEqual(
    expect.arrayContaining([
      "MISSED   native, 1 thread: speed over C, from 4 KiB: at least 1 times; the worst: 0.5 times (u8 zeros, 4 MiB); 1 of 2 cells reach it",
      "MISSED   native: time over that with fewer threads, beyond noise: at most 1 times; the worst: 2.86 times (u8 uniform, 4 MiB, 4 threads); 1 of 2 cells reach it",
      "MISSED   native, `countSync` of 64 bytes over the loop: at most 2 µs; the worst: 3 µs (u8 uniform, 64 bytes)",
      "reached  native: growth of memory while it counts 2 GiB: at most 64 MiB; the worst: 1 MiB (u8 uniform, 2 GiB)",
      "MISSED   core: speed over the loop that checks the range, up to 256 MiB: at least 0.9 times; the worst: not measured",
    ]),
  );
});
