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
/** Milliseconds. A test reads gibibytes, or makes a million calls. */
const TIMEOUT = 240_000;

/** Runs a program in a process of its own. It returns the bytes that it prints. */
async function grown(program: string): Promise<number> {
  const text = `
    import { open } from "node:fs/promises";
    import { fileSamples, integer, openEngine } from "@polybin/core";
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

/** Calls over `data` and over its two halves, and whether each is right. All samples are `value`. */
const CALLS: Record<string, string> = {
  histogram: "(await engine.histogram(data)).counts[value] === LARGE",
  "histogram of floats": "(await engine.histogram(floats, { bins: 9, range: [-1, 1] })).sum() === LARGE / 4",
  extent: "(await engine.extent(data)).max === value",
  segments: "(await engine.segments(data, { every: 2 ** 20 })).counts[256 * 2047 + value] === 2 ** 20",
  joint: "(await engine.joint(halves, { axes })).sum() === LARGE / 2",
  mask: "(await engine.histogram(halves[0], { mask: halves[1], axis: axes[0] })).sum({ flow: true }) === kept",
};

const SETTINGS = `
  const LARGE = ${LARGE};
  const axes = [integer(0, 8), integer(0, 8)];
  const check = async (call) => {
    const before = most();
    if (!(await call())) throw new Error("miscounted");
    console.log(most() - before);
  };`;

test.for([...Object.keys(CALLS), "countSync"])(
  "%s over 2 GiB in memory takes no copy of it",
  { timeout: TIMEOUT },
  async (name, context) => {
    if (missing !== null) return context.skip(missing);
    const call =
      CALLS[name] ?? "(await engine.prepare({ type: 'u8' })).countSync(data).counts[value] === LARGE";
    const bytes = await grown(`${SETTINGS}
      const [value, kept] = [7, LARGE / 2];
      const data = new Uint8Array(LARGE).fill(value);
      const halves = [data.subarray(0, LARGE / 2), data.subarray(LARGE / 2)];
      const floats = new Float32Array(data.buffer);
      await check(async () => ${call});`);
    expect(bytes).toBeLessThan(64 * MIB);
  },
);

test.for(Object.keys(CALLS))(
  "%s over a file of 2 GiB takes bounded memory",
  { timeout: TIMEOUT },
  async (name, context) => {
    if (missing !== null) return context.skip(missing);
    const folder = mkdtempSync(join(tmpdir(), "polybin-native-"));
    try {
      const bytes = await grown(`${SETTINGS}
        const path = ${JSON.stringify(join(folder, "zeros"))};
        const file = await open(path, "w");
        await file.truncate(LARGE);
        await file.close();
        const [value, kept] = [0, 0];
        const data = fileSamples({ path, bytes: LARGE });
        const halves = [0, LARGE / 2].map((offset) => fileSamples({ path, offset, bytes: LARGE / 2 }));
        const floats = fileSamples({ path, bytes: LARGE, type: "f32" });
        await check(async () => ${CALLS[name]});`);
      expect(bytes).toBeLessThan(64 * MIB);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test.for(["await counter.count(data)", "counter.countSync(data)", "await engine.histogram(data)"])(
  "a million calls of %s take no more memory than the first ones",
  { timeout: TIMEOUT },
  async (call, context) => {
    if (missing !== null) return context.skip(missing);
    const bytes = await grown(`
      const data = Float32Array.from({ length: 100 }, (_, i) => i);
      const counter = await engine.prepare({ type: "f32", bins: 10, range: [0, 100] });
      const count = async (times) => {
        for (let i = 0; i < times; i++) ${call};
        gc();
      };
      // V8's heap has its size by then.
      await count(500_000);
      const before = process.memoryUsage.rss();
      await count(1_000_000);
      console.log(process.memoryUsage.rss() - before);`);
    expect(bytes).toBeLessThan(16 * MIB);
  },
);
