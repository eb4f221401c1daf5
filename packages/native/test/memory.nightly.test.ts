import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { native } from "@polybin/native";
import { expect, test } from "vitest";

const probe = await native().probe();
const missing = probe.available ? null : probe.reason;
const MIB = 2 ** 20;
const LARGE = 2 ** 31;

/** Runs a program in a process of its own. It returns the bytes that it prints. */
async function grown(program: string): Promise<number> {
  const text = `
    import { open } from "node:fs/promises";
    import { fileSamples, openEngine } from "@polybin/core";
    import { native } from "@polybin/native";
    const engine = await openEngine({ backend: native() });
    const most = () => process.resourceUsage().maxRSS * 1024;
    ${program}
    await engine.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", text],
    { cwd: new URL(".", import.meta.url) },
  );
  return Number(stdout);
}

test("a count of 2 GiB in memory takes no copy of it", async (context) => {
  if (missing !== null) return context.skip(missing);
  const bytes = await grown(`
    const data = new Uint8Array(${LARGE}).fill(7);
    await engine.histogram(data.subarray(0, 1000));
    const before = most();
    if ((await engine.histogram(data)).counts[7] !== ${LARGE}) throw new Error("miscounted");
    const counter = await engine.prepare({ type: "u8" });
    if (counter.countSync(data).counts[7] !== ${LARGE}) throw new Error("miscounted");
    console.log(most() - before);`);
  expect(bytes).toBeLessThan(64 * MIB);
});

test("a count of a file of 2 GiB takes bounded memory", async (context) => {
  if (missing !== null) return context.skip(missing);
  const folder = mkdtempSync(join(tmpdir(), "polybin-native-"));
  try {
    const path = JSON.stringify(join(folder, "zeros"));
    const bytes = await grown(`
      const file = await open(${path}, "w");
      await file.truncate(${LARGE});
      await file.close();
      const before = most();
      const of = fileSamples({ path: ${path}, bytes: ${LARGE} });
      if ((await engine.histogram(of)).counts[0] !== ${LARGE}) throw new Error("miscounted");
      console.log(most() - before);`);
    expect(bytes).toBeLessThan(64 * MIB);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.for(["await counter.count(data)", "counter.countSync(data)", "await engine.histogram(data)"])(
  "a million calls of %s take no more memory than the first ones",
  async (call, context) => {
    if (missing !== null) return context.skip(missing);
    const bytes = await grown(`
      const data = Float32Array.from({ length: 100 }, (_, i) => i);
      const counter = await engine.prepare({ type: "f32", bins: 10, range: [0, 100] });
      const count = async (times) => {
        for (let i = 0; i < times; i++) ${call};
        gc();
      };
      await count(100_000);
      const before = process.memoryUsage.rss();
      await count(1_000_000);
      console.log(process.memoryUsage.rss() - before);`);
    expect(bytes).toBeLessThan(16 * MIB);
  },
);
