import { type Countable, type Counter, type Histogram, isPolybinError } from "@polybin/core";
import { limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import { type Context, Skip, type Topic } from "../case.ts";
import { generate } from "../generators.ts";
import { countByDefinition } from "../oracle/counts.ts";
import { aborts, again, closes } from "./calls-ended.ts";
import {
  accumulates,
  accumulatesMuch,
  batches,
  concurrent,
  counterAxis,
  counts,
  type Lying,
} from "./calls-together.ts";

/** A way to count one input with a counter. */
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

const bins = limits.PER_THREAD_64_BINS;

/** Cases of the life of counters, and of calls that meet. The combinations count with them. */
export const calls: Topic = () => [
  ...Object.entries(WAYS).map(([name, way]) => ({
    topic: "calls",
    name: `${name}: wrong input is refused, and no counts are lost`,
    async run(context: Context) {
      if (way === WAYS.synchronous) await skipWithoutSync(context);
      await refuses(way, context);
    },
  })),
  { topic: "calls", name: "batched: unequal sizes keep their order, many and none", run: batches },
  {
    topic: "calls",
    name: "accumulated: unequal sizes, residents, and a restart after take",
    run: accumulates,
  },
  {
    topic: "calls",
    name: "accumulated: many samples; above 2^32 per bin in size full",
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
    name: "close waits for calls of counters; later calls are ERR_UNAVAILABLE",
    run: closes,
  },
  { topic: "calls", name: "counters are prepared, used and freed repeatedly", run: again },
  { topic: "calls", name: "allocated memory holds zeros and is counted like other memory", run: allocates },
];

/** @throws Skip with the device's sentence if it cannot count synchronously. */
async function skipWithoutSync({ engine }: Context): Promise<void> {
  await using counter = await engine.prepare({ axis: counterAxis });
  try {
    counter.countSync(new Uint8Array(1));
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_UNSUPPORTED") throw new Skip(error.message);
    throw error;
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
  for (const type of SAMPLE_TYPES) {
    const array = engine.allocate(1000, type) as SampleArray;
    const { bytes } = SAMPLE_TRAITS[type];
    check.same(`${type}: length`, array.length, 1000);
    check.same(`${type}: bytes of the buffer`, array.buffer.byteLength, 1000 * bytes);
    array.set(generate(type, "gauss", 1000));
    const axis = wholeAxis(type, bins);
    const found = await engine.histogram(array, { axis });
    check.histogram(type, found, countByDefinition(axis, type, array));
  }
  // A view of all of the buffer holds nothing else.
  const wide = new Float32Array(engine.allocate(4000).buffer);
  wide.set(generate("f32", "gauss", 1000));
  const axis = wholeAxis("f32", bins);
  check.histogram("floats", await engine.histogram(wide, { axis }), countByDefinition(axis, "f32", wide));
  check.same("samples", wide.length, 1000);
  try {
    engine.allocate(-1);
    check.ok("a negative number of bytes is refused", false);
  } catch (error) {
    check.ok("a negative number of bytes is ERR_INPUT", isPolybinError(error) && error.code === "ERR_INPUT");
  }
}
