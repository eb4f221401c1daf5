import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Engine, integer, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { expect, it } from "vitest";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** The GiB of addresses that this process has reserved. */
async function addresses(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Number(/VmSize:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 2 ** 20;
}

it("returns the memory of closed pools, also if a program keeps the engines", async (ctx) => {
  if (process.platform !== "linux") return ctx.skip("only Linux reports a process's addresses in /proc");
  const data = new Uint8Array(2 ** 21);
  const open = (): Promise<Engine> => openEngine({ backend: piscina({ threads: 1 }) });
  const before = await addresses();
  const kept: Engine[] = [];
  for (let i = 0; i < 5; i++) {
    const engine = await open();
    kept.push(engine);
    await engine.histogram(data);
    await engine.histogram(data.subarray(0, 100));
    await engine.joint([data, data], { axes: [integer(0, 9), integer(0, 9)] });
    await engine.close();
  }
  // Each WebAssembly memory reserves at least 8 GiB, and each pool used several.
  expect((await addresses()) - before).toBeLessThan(16);
  expect(kept).toHaveLength(5);
});

it("allocates without reserving addresses", async (ctx) => {
  if (process.platform !== "linux") return ctx.skip("only Linux reports a process's addresses in /proc");
  await using engine = await openEngine({ backend: piscina({ threads: 1 }) });
  const before = await addresses();
  const arrays = Array.from({ length: 20 }, () => engine.allocate(100_000, "f32"));
  expect((await addresses()) - before).toBeLessThan(4);
  expect(arrays.every(({ buffer }) => buffer.byteLength === 400_000)).toBe(true);
});
