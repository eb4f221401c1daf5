import {
  type Axis,
  type Countable,
  type Counter,
  type Histogram,
  isPolybinError,
  type SampleType,
} from "@polybin/core";
import { limits, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { axesFor, wholeAxis } from "../axes.ts";
import { algorithmOf, binsWith, type Context, Skip, type Topic } from "../case.ts";
import { aroundAxis, generate } from "../generators.ts";
import { countByDefinition, type Expected } from "../oracle.ts";

/** What a counter counts. */
type Lying = Parameters<Counter["count"]>[0];

/** A way to count one input by a counter. */
type Way = (counter: Counter, input: Lying) => Promise<Histogram>;

const WAYS: Readonly<Record<string, Way>> = {
  prepared: (counter, input) => counter.count(input),
  synchronous: async (counter, input) => counter.countSync(input),
  batched: async (counter, input) => (await counter.countAll([input]))[0]!,
  accumulated: async (counter, input) => {
    await counter.accumulate(input);
    return counter.take();
  },
};

/** Samples of an input: none, a few, around what is counted on the calling thread or in one block, odd tails. */
const SIZES: readonly number[] = [0, 1, 3, 255, 1024, 4099];
const bins = limits.PER_THREAD_64_BINS;
const REASON: Error = new Error("the user has gone home");

/** Counters: the same counts as `histogram`, however they are called. */
export const calls: Topic = ({ slugs }) => [
  ...Object.entries(WAYS).flatMap(([name, way]) =>
    Object.entries({
      "every type and some sizes": types,
      "every algorithm": (of: Way, context: Context) => algorithms(of, slugs, context),
      "channels, pitch and region": layouts,
      "wrong input is refused, and loses nothing": refuses,
    }).map(([what, run]) => ({
      topic: "calls",
      name: `${name}: ${what}`,
      async run(context: Context) {
        if (way === WAYS.synchronous) await skipWithoutSync(context);
        await run(way, context);
      },
    })),
  ),
  { topic: "calls", name: "batched: unequal sizes keep their order, many and none", run: batches },
  { topic: "calls", name: "accumulated: unequal sizes, residents, and it begins anew", run: accumulates },
  {
    topic: "calls",
    name: "accumulated: much, past 2^32 in a bin where the suite is full",
    run: accumulatesMuch,
  },
  { topic: "calls", name: "concurrent calls of all kinds on one counter", run: concurrent },
  {
    topic: "calls",
    name: "aborted before, and right after the call: nothing is added, exact afterwards",
    run: aborts,
  },
  {
    topic: "calls",
    name: "close waits for calls of counters; what comes later is ERR_UNAVAILABLE",
    run: closes,
  },
  { topic: "calls", name: "counters are prepared, used and freed again and again", run: again },
  { topic: "calls", name: "allocated memory is zeroed bytes, counted like any", run: allocates },
];

/** @throws Skip with the device's sentence where it cannot count before it returns. */
async function skipWithoutSync({ engine }: Context): Promise<void> {
  await using counter = await engine.prepare({ axis: counterAxis });
  try {
    counter.countSync(new Uint8Array(1));
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_UNSUPPORTED") throw new Skip(error.message);
    throw error;
  }
}

/** Counts and compares; what the device or the plan cannot is noted. */
async function counts(
  { check }: Context,
  what: string,
  count: () => Promise<Histogram>,
  expected: Expected,
): Promise<void> {
  await check.unlessRefused(what, async () => check.histogram(what, await count(), expected));
}

async function types(way: Way, context: Context): Promise<void> {
  const { engine } = context;
  for (const type of SAMPLE_TYPES) {
    const axis = axesFor(type, bins)[4]!;
    await using counter = await engine.prepare({ type, axis });
    for (const n of SIZES) {
      const samples = aroundAxis(axis, type, n, n);
      const expected = countByDefinition(axis, type, samples);
      await counts(context, `${n} of ${type}`, () => way(counter, samples), expected);
      if (n !== SIZES.at(-1)) continue;
      await using resident = await engine.upload(samples);
      await counts(context, `${n} of ${type}, resident`, () => way(counter, resident), expected);
    }
  }
}

async function algorithms(way: Way, slugs: readonly string[], context: Context): Promise<void> {
  const type = "u8";
  const samples = generate(type, "gauss", 1001);
  for (const algorithm of slugs) {
    const axis = wholeAxis(type, Math.min(bins, binsWith(algorithmOf(context, algorithm))));
    const count = async () => {
      await using counter = await context.engine.prepare({ type, axis, algorithm });
      return await way(counter, samples);
    };
    await counts(context, algorithm, count, countByDefinition(axis, type, samples));
  }
}

async function layouts(way: Way, context: Context): Promise<void> {
  const { engine } = context;
  const [width, height, channels] = [7, 5, 3];
  const data = generate("u16", "uniform", 8 * 6 * channels);
  const axis = wholeAxis("u16", bins);
  const region = { x: 1, y: 1, width, height };
  const inside = (channel: number) =>
    Uint16Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [(i % width) + region.x, Math.floor(i / width) + region.y];
      return data[(y * 8 + x) * channels + channel]!;
    });
  for (const channel of [0, 2]) {
    await using counter = await engine.prepare({ type: "u16", interleaved: channels, channel, axis });
    const picture = { data, channels, width: 8, region };
    const expected = countByDefinition(axis, "u16", inside(channel));
    await counts(context, `channel ${channel} of a region`, () => way(counter, picture), expected);
  }
}

async function refuses(way: Way, context: Context): Promise<void> {
  const { engine, check } = context;
  const counter = await engine.prepare({ axis: wholeAxis("u8", bins) });
  const wrong: Readonly<Record<string, Countable>> = {
    "another type": Uint16Array.of(1),
    "numbers, which are f64": [1, 2],
    "another number of channels": { data: new Uint8Array(6), channels: 2 },
    "a stream": new Blob([new Uint8Array(3)]),
  };
  const code = "ERR_INPUT";
  for (const [what, input] of Object.entries(wrong)) {
    await check.rejects(what, () => way(counter, input as Lying), { code });
  }
  const resident = await engine.upload(new Uint8Array(9));
  await resident.free();
  await check.rejects("a freed resident", () => way(counter, resident), { code });
  const samples = generate("u8", "gauss", 1001);
  const expected = countByDefinition(counterAxis, "u8", samples);
  await counts(context, "afterwards", () => way(counter, samples), expected);
  await counter.free();
  await counter.free();
  await check.rejects("after free", () => way(counter, samples), { code, says: ["freed"] });
}

const counterAxis: Axis = wholeAxis("u8", bins);

async function batches(context: Context): Promise<void> {
  const { engine, check } = context;
  for (const type of ["u8", "f64"] as const) {
    const axis = wholeAxis(type, bins);
    await using counter = await engine.prepare({ type, axis });
    const sizes = [9, 0, 4099, 9, 1, 4099, 70_001, 9];
    const inputs = sizes.map((n, i) => generate(type, "gauss", n, i + 1));
    const all = await counter.countAll(inputs);
    check.same(`${type}: results`, all.length, sizes.length);
    for (const [i, samples] of inputs.entries()) {
      check.histogram(`${type}: input ${i}`, all[i]!, countByDefinition(axis, type, samples));
    }
  }
  // A bin a value: what the device counts may be the result as it is.
  const axis = wholeAxis("u8", limits.BYTE_VALUES);
  await using counter = await engine.prepare({ axis });
  check.same("results of none", (await counter.countAll([])).length, 0);
  await using resident = await engine.upload(generate("u8", "gauss", 1001));
  const many = await counter.countAll(Array.from({ length: 300 }, () => resident));
  const expected = countByDefinition(axis, "u8", generate("u8", "gauss", 1001));
  check.same("results of many", many.length, 300);
  for (const at of [0, 1, 150, 299]) check.histogram(`one of many, ${at}`, many[at]!, expected);
  many[0]!.counts.fill(-1);
  check.histogram("results are independent", many[1]!, expected);
}

async function accumulates(context: Context): Promise<void> {
  const { engine, check } = context;
  for (const type of ["u8", "u32", "f32"] as const) {
    const axis = axesFor(type, bins)[4]!;
    await using counter = await engine.prepare({ type, axis });
    check.histogram(
      `${type}: nothing`,
      await counter.take(),
      countByDefinition(axis, type, generate(type, "zeros", 0)),
    );
    for (let round = 0; round < 2; round++) {
      const inputs = Array.from({ length: 20 }, (_, i) =>
        generate(type, "gauss", (i % 3) * 1000 + i, round + 1),
      );
      for (const input of inputs) await counter.accumulate(input);
      await using resident = await engine.upload(inputs[5]!);
      await counter.accumulate(resident);
      const expected = countByDefinition(axis, type, joined(type, [...inputs, inputs[5]!]));
      check.histogram(`${type}: round ${round}`, await counter.take(), expected);
    }
    check.same(`${type}: anew`, (await counter.take()).sum({ flow: true }), 0);
  }
}

function joined(type: SampleType, parts: readonly SampleArray[]): SampleArray {
  const all = generate(
    type,
    "zeros",
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** So many samples that no 32-bit counter holds them, where a device counts as many in a moment. */
async function accumulatesMuch({ engine, check, size }: Context): Promise<void> {
  const n = size === "full" ? 2 ** 28 : 2 ** 20;
  const times = size === "full" ? 17 : 3;
  await using counter = await engine.prepare({ axis: counterAxis });
  await using resident = await engine.upload(new Uint8Array(n));
  await Promise.all(Array.from({ length: times }, () => counter.accumulate(resident)));
  const total = await counter.take();
  check.same("the first bin", total.counts[0], n * times);
  check.same("all", total.sum({ flow: true }), n * times);
}

async function concurrent(context: Context): Promise<void> {
  const { engine, check } = context;
  await using counter = await engine.prepare({ axis: counterAxis });
  await using resident = await engine.upload(generate("u8", "uniform", 5001));
  const inputs: readonly [Lying, SampleArray][] = [
    ...[1, 999, 4099, 70_001].map((n): [Lying, SampleArray] => {
      const samples = generate("u8", "gauss", n, n);
      return [samples as Uint8Array, samples];
    }),
    [resident, generate("u8", "uniform", 5001)],
  ];
  const added: SampleArray[] = [];
  const work: Promise<void>[] = [];
  for (let i = 0; i < 60; i++) {
    const [input, samples] = inputs[i % inputs.length]!;
    const expected = countByDefinition(counterAxis, "u8", samples);
    if (i % 3 === 0) work.push(counts(context, `call ${i}`, () => counter.count(input), expected));
    else if (i % 3 === 1) {
      added.push(samples);
      work.push(counter.accumulate(input));
    } else {
      const batch = counter.countAll([input, resident, input]);
      work.push(batch.then((all) => check.histogram(`call ${i}`, all[2]!, expected)));
    }
  }
  await Promise.all(work);
  const expected = countByDefinition(counterAxis, "u8", joined("u8", added));
  check.histogram("accumulated meanwhile", await counter.take(), expected);
}

/** The call must reject with the signal's own reason, or have ended before it fired. */
async function endedOr(context: Context, what: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    context.check.ok(`${what}: expected the signal's reason`, error === REASON);
    return false;
  }
}

async function aborts(context: Context): Promise<void> {
  const { engine, check } = context;
  const samples = generate("u8", "gauss", 2 ** 20 + 1) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  await using counter = await engine.prepare({ axis: counterAxis });
  const before = { signal: AbortSignal.abort(REASON) };
  for (const [what, work] of Object.entries({
    count: counter.count(samples, before),
    countAll: counter.countAll([samples, samples], before),
    accumulate: counter.accumulate(samples, before),
    take: counter.take(before),
  })) {
    check.ok(`${what}: it was aborted before`, !(await endedOr(context, what, work)));
  }
  let added = 0;
  for (const when of ["at once", "soon", "later"] as const) {
    const controller = new AbortController();
    const { signal } = controller;
    const work = [
      counter.accumulate(samples, { signal }),
      counter.count(samples, { signal }),
      counter.countAll([samples, samples], { signal }),
    ] as const;
    const ended = work.map((one, i) => endedOr(context, `${when}, ${i}`, one));
    if (when === "soon") await Promise.resolve();
    if (when === "later") await new Promise((resolve) => setTimeout(resolve));
    controller.abort(REASON);
    const [wasAdded] = await Promise.all(ended);
    if (wasAdded) added++;
    check.histogram(`${when}: afterwards`, await counter.count(samples), expected);
  }
  await endedOr(context, "a take that was aborted before", counter.take(before));
  await counter.accumulate(samples);
  const total = await counter.take();
  check.same("what was added", total.sum({ flow: true }), (added + 1) * samples.length);
}

async function closes(context: Context): Promise<void> {
  const { check } = context;
  const engine = await context.open();
  const samples = generate("u8", "gauss", 300_001) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  const counter = await engine.prepare({ axis: counterAxis });
  const kept = await engine.prepare({ axis: counterAxis });
  await kept.accumulate(samples);
  const running = [
    counter.count(samples).then((one) => check.histogram("count", one, expected)),
    counter.countAll([samples, samples]).then((all) => check.histogram("countAll", all[1]!, expected)),
    counter.accumulate(samples).then(() => check.ok("accumulate", true)),
    kept.take().then((total) => check.histogram("take", total, expected)),
  ];
  await engine.close();
  await Promise.all(running);
  const closed = { code: "ERR_UNAVAILABLE", says: ["open", "closed"] };
  for (const of of [counter, kept]) {
    await check.rejects("count", () => of.count(samples), closed);
    await check.rejects("countSync", async () => of.countSync(samples), closed);
    await check.rejects("countAll", () => of.countAll([samples]), closed);
    await check.rejects("accumulate", () => of.accumulate(samples), closed);
    await check.rejects("take", () => of.take(), closed);
    await of.free();
  }
  await check.rejects("prepare", () => engine.prepare(), closed);
  await check.rejects("allocate", async () => engine.allocate(1), closed);
}

async function again(context: Context): Promise<void> {
  const { check } = context;
  const engine = await context.open();
  const samples = generate("u8", "gauss", 5001) as Uint8Array;
  const expected = countByDefinition(counterAxis, "u8", samples);
  for (let i = 0; i < 60; i++) {
    const counter = await engine.prepare({ axis: counterAxis });
    await counter.accumulate(samples);
    if (i % 2 === 0) await counter.free();
    // The others are forgotten, with what they hold.
    if (i % 20 === 1) check.histogram(`counter ${i}`, await counter.take(), expected);
  }
  await engine.close();
}

async function allocates({ engine, check }: Context): Promise<void> {
  for (const bytes of [0, 1, 4099]) {
    const memory = engine.allocate(bytes);
    check.same(`${bytes} bytes: length`, memory.length, bytes);
    check.ok(
      `${bytes} bytes: zeros`,
      memory.every((byte) => byte === 0),
    );
    memory.set(generate("u8", "gauss", bytes) as Uint8Array);
    const expected = countByDefinition(counterAxis, "u8", memory);
    check.histogram(`${bytes} bytes`, await engine.histogram(memory, { axis: counterAxis }), expected);
  }
  const wide = new Float32Array(engine.allocate(400).buffer, 0, 100);
  wide.set(generate("f32", "gauss", 100));
  const axis = wholeAxis("f32", bins);
  check.histogram("floats", await engine.histogram(wide, { axis }), countByDefinition(axis, "f32", wide));
  try {
    engine.allocate(-1);
    check.ok("fewer than no bytes are refused", false);
  } catch (error) {
    check.ok("fewer than no bytes are ERR_INPUT", isPolybinError(error) && error.code === "ERR_INPUT");
  }
}
