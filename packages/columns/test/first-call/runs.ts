import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FirstCall, NAMES, writeFirstCalls } from "./files.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("read.ts", import.meta.url));

/** Reads each file in new processes of a Node. An optimizing compiler may fail only while a first, long call runs. */
export function itReadsRight(node: string, times: number, problem: string | null = null): void {
  let folder: string;
  let calls: readonly FirstCall[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "polybin-first-call-"));
    if (problem === null) calls = writeFirstCalls(folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.for([...NAMES])("%s", { timeout: 600_000 }, async (name, context) => {
    if (problem !== null) context.skip(problem);
    const { path, digest } = calls.find((call) => call.name === name)!;
    for (let i = 0; i < times; i++) {
      const { stdout } = await run(node, ["--disable-warning=ExperimentalWarning", program, path]);
      expect(stdout.trim()).toBe(digest);
    }
  });
}
