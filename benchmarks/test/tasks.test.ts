import { join } from "node:path";
import { expect, it } from "vitest";
import { hostMain } from "../src/suites/host.ts";
import { errorsOf, read, scratch } from "./shared.ts";

it("every program counts groups and a file as the reference does", { timeout: 120_000 }, async () => {
  const folder = scratch();
  await hostMain(["tasks"], ["--quick", "--out", folder, "--only", "groups,file,frame"]);
  const found = read(join(folder, "tasks.json"));
  expect(errorsOf(found)).toEqual([]);
  expect(found.missing.filter((line) => /NOT EXACT|ended|did not answer|used up/.test(line))).toEqual([]);
  const programs = (task: string) =>
    new Set(found.rows.filter(({ type }) => type === task).map(({ backend, peer }) => backend ?? peer));
  expect(programs("groups")).toContain("js-loop");
  expect(programs("file")).toContain("cpu");
  expect(found.rows.every(({ exact, peer }) => exact || peer !== null)).toBe(true);
  expect(found.rows.every(({ type, residence }) => (type === "file") === (residence === "file"))).toBe(true);
});
