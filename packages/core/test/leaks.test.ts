import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { integer } from "../src/axis/axis.ts";
import { openEngine } from "../src/engine/open.ts";

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** Bytes that are in use, of the heap and of arrays. */
async function used(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("calls leave no memory behind: counters, equal and different calls, aborted calls and forgotten counters", {
  timeout: 60_000,
}, async () => {
  await using engine = await openEngine();
  const counter = await engine.prepare();
  const data = Uint8Array.of(1, 2, 3);
  const { signal } = new AbortController();
  const some = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      counter.countSync(data);
      await counter.count(data, { signal });
      await engine.histogram(new Uint8Array(i % 40), { axis: integer(0, 5 + (i % 40)), signal });
      await counter.countAll([data, data.subarray(i % 3)], { signal });
      await engine.histogram(data, { bins: -1 }).catch(() => {});
      await counter.accumulate(data.subarray(i % 3), { signal });
      if (i % 50 === 0) await counter.take();
      const forgotten = await engine.prepare({ bins: 7 });
      await forgotten.accumulate(data);
    }
  };
  await some(500);
  const before = await used();
  await some(2000);
  // A leak of 100 bytes a call would be 1.6 MB.
  expect((await used()) - before).toBeLessThan(700_000);
});
