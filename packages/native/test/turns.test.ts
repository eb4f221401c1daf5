import { integer, openEngine, regular } from "@polybin/core";
import { native } from "@polybin/native";
import { beforeEach, expect, type TestContext, test } from "vitest";

const probe = await native().probe();

beforeEach((context: TestContext) => {
  if (!probe.available) context.skip(probe.reason);
});

/** More than are made between two turns. */
const JOBS = 40;
const floats = Float32Array.of(0.25, 0.75, 3);
const axisOf = (i: number) => regular(10 + i, 0, 1);

/** Node frees the addon's memory between two turns of the event loop only. */
const LOOPS: Record<string, (i: number) => Promise<number>> = {
  async "calls over new axes"(i) {
    await using engine = await openEngine({ backend: native({ threads: 2 }) });
    return (await engine.histogram(floats, { axis: axisOf(i) })).overflow;
  },
  async "calls over the range of new data"(i) {
    await using engine = await openEngine({ backend: native({ threads: 1 }) });
    return (await engine.histogram([i, 2 * i + 1], { bins: 3 })).counts[2]!;
  },
  async "new counters that count synchronously"(i) {
    await using engine = await openEngine({ backend: native({ threads: 1 }) });
    const counter = await engine.prepare({ type: "f32", axis: axisOf(i) });
    return counter.countSync(floats).overflow;
  },
  async "new counters of columns"(i) {
    await using engine = await openEngine({ backend: native({ threads: 1 }) });
    const byte = { type: "u8", axis: integer(0, 4 + i) } as const;
    const counter = await engine.prepare({ columns: [byte, byte] });
    const data = Uint8Array.of(1);
    return counter.countSync([data, data]).at(1, 1);
  },
};

test.for(Object.entries(LOOPS))("the event loop turns between %s", async ([, call]) => {
  // The first call loads modules.
  await call(JOBS);
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  for (let i = 0; i < JOBS; i++) expect(await call(i)).toBe(1);
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(0);
});

test("a call over a known axis does not wait for a turn", async () => {
  await using engine = await openEngine({ backend: native() });
  await engine.histogram(floats, { axis: axisOf(0) });
  await new Promise((resolve) => setImmediate(resolve));
  let turns = 0;
  const timer = setImmediate(() => turns++);
  for (let i = 0; i < JOBS; i++) await engine.histogram(floats, { axis: axisOf(0) });
  clearImmediate(timer);
  expect(turns).toBe(0);
});
