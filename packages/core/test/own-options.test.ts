import { expect, it, onTestFinished } from "vitest";
import { integer } from "../src/axis/index.ts";
import { cpu } from "../src/cpu/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { multithreaded } from "../src/multithreaded/index.ts";
import { FakeBackend, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: these options are not of their type
type Anything = any;

const x = Uint8Array.of(1, 1, 2, 3);
const y = Uint8Array.of(0, 1, 0, 1);
const axis = integer(0, 4);
const axes = [axis, axis];

/** Calls, each with the options of which it reads. */
const CALLS = {
  histogram: (engine: Anything, options: object) => engine.histogram(x, options),
  histograms: (engine: Anything, options: object) => engine.histograms(x, options),
  joint: (engine: Anything, options: object) => engine.joint([x, y], { axes, ...options }),
} as const;

it.each(Object.entries(CALLS))(
  "%s takes null and undefined for columns that it may have",
  async (_, call) => {
    await using engine = await openEngine();
    const plain = JSON.stringify(await call(engine, {}));
    for (const none of [null, undefined]) {
      for (const name of ["mask", "where", "by", "weights"]) {
        expect([name, JSON.stringify(await call(engine, { [name]: none }))]).toEqual([name, plain]);
      }
      const masked = { mask: y, where: none, by: none, weights: none };
      expect(JSON.stringify(await call(engine, masked))).toBe(
        JSON.stringify(await call(engine, { mask: y })),
      );
    }
  },
);

it("weights go with null and undefined for the other columns, and counters take them", async () => {
  await using engine = await openEngine();
  const weights = Float64Array.of(1, 2, 3, 4);
  for (const none of [null, undefined]) {
    const h = await engine.histogram(x, { axis, weights, mask: none, where: none, by: none });
    expect([...h.sums]).toEqual([0, 3, 3, 4]);
    const joint = await engine.joint([x, y], { axes, weights, mask: none, where: none, by: none });
    expect(joint.sum()).toBe(10);
    await using counter = await engine.prepare({ axis });
    expect((await counter.count(x)).sum()).toBe(4);
    const pairs = await engine.prepare({
      columns: [
        { type: "u8", axis },
        { type: "u8", axis },
      ],
    });
    expect((await pairs.count({ columns: [x, y], mask: none, where: none })).sum()).toBe(4);
  }
});

it("inherited properties are no options", async () => {
  await using engine = await openEngine();
  const inherited = {
    bins: 2,
    range: [0, 1],
    axis,
    weights: x,
    mask: y,
    by: 1,
    axes: 1,
    timings: true,
    signal: AbortSignal.abort("inherited"),
    onProgress: () => expect.unreachable(),
    channel: 3,
    type: "f32",
  };
  const options = Object.create(inherited) as object;
  const h = await engine.histogram(x, options);
  expect([h.bins, h.type, h.timings]).toEqual([256, "u8", null]);
  expect((await engine.histograms(x, options))[0]!.bins).toBe(256);
  expect((await engine.joint([x, y], Object.create(inherited) as object)).shape).toEqual([256, 256]);
  expect((await engine.segments(x, { every: 2 }, options)).axis.bins).toBe(256);
  const counter: Anything = await engine.prepare(options as Anything);
  expect((await counter.count(x)).bins).toBe(256);
  expect(await engine.extent(x, options)).toEqual({ min: 1, max: 3 });
  await using resident = await engine.upload(x, options);
  expect(resident.pixels).toBe(4);
  const absent = new FakeBackend({ unavailable: "no such card" });
  await using other = await openEngine(Object.create({ backend: absent }) as object);
  expect(other.backend).toBe("cpu");
});

it("inherited properties are no options of counters, tables, rows and backends", async () => {
  const inherited = (properties: object): Anything => Object.create(properties);
  await using engine = await openEngine({
    backend: cpu(inherited({ algorithms: "none", weighted: "none", threads: 2 })),
  });
  const ended = inherited({ signal: AbortSignal.abort("inherited"), onProgress: 1 });
  await using counter = await engine.prepare({ axis });
  expect((await counter.count(x, ended)).sum()).toBe(4);
  expect(await counter.countAll([x, x], ended)).toHaveLength(2);
  await counter.accumulate(x, ended);
  expect((await counter.take(ended)).sum()).toBe(4);
  const columns = axes.map((one) => ({ type: "u8", axis: one }) as const);
  const pairs = await engine.prepare({ columns });
  const masked = Object.assign(inherited({ mask: new Uint8Array(4) }), { columns: [x, y] });
  expect((await pairs.count(masked, ended)).sum()).toBe(4);
  expect((await pairs.countAll([masked], ended))[0]!.sum()).toBe(4);
  await using rows = await engine.segments(x, { every: 2 }, { axis, leave: true });
  const into = inherited({ into: new Uint32Array(1), signal: ended.signal });
  expect((await rows.read(0, 2, into)).segments).toBe(2);
  await using table = await engine.table({ values: y, type: "u8", features: 1, documents: 4, bins: [2] });
  const sums = await table.sums([1, 2, 3, 4], inherited({ squares: true, counts: false, documents: 1 }));
  expect([sums.counts, sums.sums, sums.sumsOfSquares]).toEqual([
    [Float64Array.of(2, 2)],
    [Float64Array.of(4, 6)],
    null,
  ]);
  expect(multithreaded(inherited({ threads: 0 })).id).toBe("cpu");
});

it("a polluted prototype adds no options", async () => {
  await using engine = await openEngine();
  const polluted = Object.prototype as Anything;
  onTestFinished(() => void delete polluted.timings);
  polluted.timings = true;
  const h = await engine.histogram(x, { axis });
  expect([h.sum(), h.timings]).toEqual([4, null]);
  expect((await engine.joint([x, y], { axes })).timings).toBeNull();
});

it("a misspelled algorithm gets a suggestion", async () => {
  await using engine = await openEngine();
  const error = await rejectionOf(engine.histogram(x, { algorithm: "per-lan" }));
  expect(error.message).toContain("did you mean per-lane?");
  const weights = Float64Array.of(1, 2, 3, 4);
  const weighted = await rejectionOf(engine.histogram(x, { weights, algorithm: "weighted-colision" }));
  expect(weighted.message).toContain("did you mean weighted-collision?");
});
