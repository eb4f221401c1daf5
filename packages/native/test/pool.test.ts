import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { type Engine, openEngine, regular } from "@polybin/core";
import { native } from "@polybin/native";
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from "vitest";

const probe = await native().probe();
const run = promisify(execFile);

/** Skips a test where there is no addon, and says why. */
function skipWithout(test: TestContext): void {
  if (!probe.available) test.skip(probe.reason);
}

const bytes = Uint8Array.from({ length: 3_000_017 }, (_, i) => (i * 2_654_435_761) >>> 13);
const floats = Float32Array.from(bytes.subarray(0, 700_001), (byte, i) => (byte + (i % 7) / 7) / 256);

/** Counts each byte in a plain loop. */
function plain(of: Uint8Array): number[] {
  const counts = new Array(256).fill(0);
  for (const byte of of) counts[byte]++;
  return counts;
}

const wanted = plain(bytes);

describe.each([1, 2, 7])("%i threads", (threads) => {
  let engine: Engine;
  beforeAll(async () => {
    if (probe.available) engine = await openEngine({ backend: native({ threads }) });
  });
  beforeEach(skipWithout);
  afterAll(() => engine?.close());

  it("counts each sample once", async () => {
    for (let i = 0; i < 20; i++) {
      const part = bytes.subarray(i, bytes.length - i * 1000);
      expect(Array.from((await engine.histogram(part)).counts)).toEqual(plain(part));
    }
  });

  it("counts calls that run at the same time, synchronous ones among them", async () => {
    const counter = await engine.prepare({ type: "u8" });
    const calls = Array.from({ length: 24 }, () => counter.count(bytes));
    expect(Array.from(counter.countSync(bytes).counts)).toEqual(wanted);
    for (const of of await Promise.all(calls)) expect(Array.from(of.counts)).toEqual(wanted);
  });

  it("finds the bins of floats as the oracle does", async () => {
    const oracle = await openEngine();
    const options = { axis: regular(1000, 0, 0.75) };
    const [found, expected] = await Promise.all([
      engine.histogram(floats, options),
      oracle.histogram(floats, options),
    ]);
    expect(Array.from(found.counts)).toEqual(Array.from(expected.counts));
    expect([found.underflow, found.overflow]).toEqual([expected.underflow, expected.overflow]);
    await oracle.close();
  });

  it("stops where its signal says, with its reason, and goes on", async () => {
    const large = new Uint8Array(new SharedArrayBuffer(256 << 20));
    const control = new AbortController();
    const call = engine.histogram(large, { signal: control.signal });
    const reason = new Error("enough");
    setTimeout(() => control.abort(reason), 1);
    await expect(call).rejects.toBe(reason);
    expect(Array.from((await engine.histogram(bytes)).counts)).toEqual(wanted);
  });

  it("reports progress, at the end all samples", async () => {
    const seen: number[] = [];
    await engine.histogram(bytes, { onProgress: ({ done }) => seen.push(done) });
    expect(seen.at(-1)).toBe(bytes.length);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
});

/** A program of its own that counts 512 MiB, and does what `then` says meanwhile. */
const program = (then: string): string => `
  const { openEngine } = await import(${JSON.stringify(import.meta.resolve("@polybin/core"))});
  const { native } = await import(${JSON.stringify(import.meta.resolve("@polybin/native"))});
  const engine = await openEngine({ backend: native({ threads: 2 }) });
  const call = engine.histogram(new Uint8Array(512 << 20));
  ${then}
`;

describe("environments", () => {
  beforeEach(skipWithout);

  it("a process exits while a call runs", async () => {
    const { stdout, stderr } = await run(process.execPath, [
      "--input-type=module",
      "-e",
      program("console.log('counting'); process.exit(0);"),
    ]);
    expect([stdout, stderr]).toEqual(["counting\n", ""]);
  });

  it("a process that awaits a call does not exit before", async () => {
    const { stdout } = await run(process.execPath, [
      "--input-type=module",
      "-e",
      program("call.then(({ counts }) => console.log(counts[0]));"),
    ]);
    expect(stdout).toBe(`${512 << 20}\n`);
  });

  it("workers load the addon too, count, and are stopped while a call runs", async () => {
    const source = `
      const { parentPort } = require("node:worker_threads");
      (async () => {
        const { openEngine } = await import(${JSON.stringify(import.meta.resolve("@polybin/core"))});
        const { native } = await import(${JSON.stringify(import.meta.resolve("@polybin/native"))});
        const engine = await openEngine({ backend: native({ threads: 2 }) });
        const { counts } = await engine.histogram(new Uint8Array(1 << 20));
        engine.histogram(new Uint8Array(512 << 20));
        parentPort.postMessage(counts[0]);
      })();
    `;
    for (let round = 0; round < 3; round++) {
      const workers = [1, 2].map(() => new Worker(source, { eval: true }));
      await Promise.all(
        workers.map(async (worker) => {
          const [counted] = await new Promise<number[]>((done, failed) => {
            worker.on("message", (of) => done([of]));
            worker.on("error", failed);
          });
          expect(counted).toBe(1 << 20);
          await worker.terminate();
        }),
      );
    }
    const engine = await openEngine({ backend: native({ threads: 2 }) });
    expect(Array.from((await engine.histogram(bytes)).counts)).toEqual(wanted);
    await engine.close();
  });
});
