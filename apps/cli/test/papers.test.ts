import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { polybin } from "./command.ts";

const scratch = mkdtempSync(join(tmpdir(), "polybin-papers-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const results = new URL("../../../benchmarks/results/nvidia-h200", import.meta.url).pathname;

test("papers writes the report of result files", async () => {
  const { code, stdout, stderr } = await polybin(["papers", "--from", results, "--out", scratch]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^brown-snoeyink +Figure 4: .* agrees/);
  expect(readFileSync(join(scratch, "README.md"), "utf8")).toContain("### Figure 4");
});

test("papers says how it is used, and what is wrong with a folder", async () => {
  expect(await polybin(["papers", "--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^usage: papers/),
  });
  const empty = await polybin(["papers", "--from", scratch.concat("/nowhere")]);
  expect(empty).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^error\[ERR_INPUT\]: .*\n$/),
  });
  expect((await polybin(["papers", "--nonsense"])).code).toBe(2);
});
