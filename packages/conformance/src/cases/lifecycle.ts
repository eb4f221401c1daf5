import { type Engine, openEngine, type Resident, type SampleType } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { DISTRIBUTIONS, generate } from "../generators.ts";

/** Cases of opening, closing, residents and concurrent calls. */
export const lifecycle: Topic = ({ slugs }) => [
  { topic: "lifecycle", name: "close, close again, and use after close", run: useAfterClose },
  {
    topic: "lifecycle",
    name: "close while it counts: running calls complete first",
    run: closeWhileCounting,
  },
  {
    topic: "lifecycle",
    name: "close while a stream delivers nothing: its call is ERR_UNAVAILABLE",
    run: closeBehindStream,
  },
  {
    topic: "lifecycle",
    name: "close in the same tick as a call of a stream: it is ERR_UNAVAILABLE, in every call",
    run: closeWithStream,
  },
  {
    topic: "lifecycle",
    name: "await using ends if its block throws while a stream delivers nothing",
    run: throwBehindStream,
  },
  {
    topic: "lifecycle",
    name: "close while calls wait for their turn: all complete first",
    run: closeWhileWaiting,
  },
  { topic: "lifecycle", name: "an aborted call does not wait for its turn", run: abortWhileWaiting },
  { topic: "lifecycle", name: "an engine is opened, used and closed repeatedly", run: reopen },
  { topic: "lifecycle", name: "await using closes the engine", run: disposal },
  { topic: "lifecycle", name: "two engines at once", run: twoEngines },
  {
    topic: "lifecycle",
    name: `${CALLS} mixed calls at once`,
    run: (context) => manyCalls(["auto", ...slugs], context),
  },
  { topic: "lifecycle", name: "a resident holds the samples at the time of the upload", run: snapshot },
  { topic: "lifecycle", name: "a freed resident is ERR_INPUT, freeing it twice is harmless", run: freed },
  { topic: "lifecycle", name: "a resident of another engine is ERR_INPUT", run: foreignResident },
  { topic: "lifecycle", name: "close frees residents", run: closeFrees },
  {
    topic: "lifecycle",
    name: "openEngine prefers this backend to core's own",
    async run({ backend, check }) {
      await using engine = await openEngine({ backends: [backend], fallback: true });
      check.same("backend", engine.backend, backend.id);
      check.same("skipped", engine.skipped.length, 0);
    },
  },
];

/** Number of concurrent calls. */
const CALLS = 50;
const bins = limits.PER_THREAD_64_BINS;

async function smallCount(engine: Engine, { check }: Context): Promise<void> {
  await check.counts(engine, generate("u8", "gauss", 1003), "u8", wholeAxis("u8", bins));
}

async function useAfterClose(context: Context): Promise<void> {
  const engine = await context.open();
  await smallCount(engine, context);
  const resident = await engine.upload(new Uint8Array(9));
  await engine.close();
  await engine.close();
  await Promise.all([engine.close(), engine.close()]);
  const closed = { code: "ERR_UNAVAILABLE", says: ["open", "closed"] };
  const { check } = context;
  await check.rejects("histogram", () => engine.histogram(new Uint8Array(1)), closed);
  await check.rejects("histograms", () => engine.histograms(new Uint8Array(1)), closed);
  await check.rejects("upload", () => engine.upload(new Uint8Array(1)), closed);
  await check.rejects("extent", () => engine.extent(new Uint8Array(1)), closed);
  await check.rejects("a resident", () => engine.histogram(resident), closed);
  await check.rejects("a stream", () => engine.histogram(new Blob([new Uint8Array(3)])), closed);
  const two = [new Uint8Array(9), new Uint8Array(9)];
  await check.rejects("joint", () => engine.joint(two), closed);
  await resident.free();
}

async function closeWhileCounting(context: Context): Promise<void> {
  const engine = await context.open();
  const samples = generate("u8", "gauss", 2 ** 20 + 1);
  const axis = wholeAxis("u8", bins);
  let counted = false;
  const running = context.check.counts(engine, samples, "u8", axis).then(() => {
    counted = true;
  });
  await engine.close();
  // The engine's call settles before close does, but the check needs one more turn.
  await running;
  context.check.ok("the running call ended", counted);
  await context.check.rejects("a later call", () => engine.histogram(samples), { code: "ERR_UNAVAILABLE" });
}

async function closeBehindStream(context: Context): Promise<void> {
  const engine = await context.open();
  const asked = Promise.withResolvers<void>();
  let left = false;
  const stream = {
    [Symbol.asyncIterator]: () => {
      let first = true;
      return {
        next: () => {
          if (first) {
            first = false;
            return Promise.resolve({ done: false as const, value: new Uint8Array(9) });
          }
          asked.resolve();
          return new Promise<never>(() => {});
        },
        return: () => {
          left = true;
          return new Promise<never>(() => {});
        },
      };
    },
  };
  const counting = context.check.rejects("its call", () => engine.histogram(stream), {
    code: "ERR_UNAVAILABLE",
    says: ["stream", "closed"],
  });
  await asked.promise;
  await engine.close();
  await counting;
  context.check.ok("the stream was released", left);
}

/** A stream that never delivers anything. */
function silent(): AsyncIterable<Uint8Array> {
  const never = () => new Promise<never>(() => {});
  return { [Symbol.asyncIterator]: () => ({ next: never, return: never }) };
}

const AXIS = wholeAxis("u8", bins);

/** Calls that read a stream. */
const STREAM_CALLS: readonly (readonly [string, (engine: Engine) => Promise<unknown>])[] = [
  ["histogram", (engine) => engine.histogram(silent(), { axis: AXIS })],
  ["histogram, with the type", (engine) => engine.histogram(silent(), { axis: AXIS, type: "u8" })],
  ["histograms", (engine) => engine.histograms(silent(), { axis: AXIS })],
  ["histograms, with axes", (engine) => engine.histograms(silent(), { axes: [AXIS] })],
  ["joint", (engine) => engine.joint([silent(), silent()], { axes: [AXIS, AXIS] })],
];

async function closeWithStream(context: Context): Promise<void> {
  for (const [name, call] of STREAM_CALLS) {
    const engine = await context.open();
    const rejected = context.check.rejects(name, () => call(engine), {
      code: "ERR_UNAVAILABLE",
      says: ["closed"],
    });
    await engine.close();
    await rejected;
  }
}

async function throwBehindStream(context: Context): Promise<void> {
  for (const [name, call] of STREAM_CALLS) {
    const thrown = new Error("the block's own");
    let rejected: Promise<void> | undefined;
    const block = async () => {
      await using engine = await context.open();
      rejected = context.check.rejects(name, () => call(engine), { code: "ERR_UNAVAILABLE" });
      throw thrown;
    };
    const error = await block().catch((reason: unknown) => reason);
    context.check.ok(`${name}: the block's error`, error === thrown);
    await rejected;
  }
}

async function closeWhileWaiting(context: Context): Promise<void> {
  const engine = await context.open();
  const samples = generate("u8", "gauss", 4097);
  const axis = wholeAxis("u8", bins);
  const calls = Array.from({ length: CALLS }, () => context.check.counts(engine, samples, "u8", axis));
  await engine.close();
  await Promise.all(calls);
}

async function abortWhileWaiting(context: Context): Promise<void> {
  const engine = await context.open();
  const samples = generate("u8", "gauss", 2 ** 20 + 1);
  let ended = 0;
  const calls = Array.from({ length: CALLS }, async () => {
    await engine.histogram(samples);
    ended++;
  });
  const controller = new AbortController();
  const last = engine.histogram(samples, { signal: controller.signal });
  controller.abort("enough");
  const reason = await last.catch((error: unknown) => error);
  context.check.same("reason", reason, "enough");
  context.check.ok("it was not the last one to end", ended < CALLS);
  await Promise.all(calls);
  await engine.close();
}

async function reopen(context: Context): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const engine = await context.open();
    await smallCount(engine, context);
    await engine.close();
  }
  const unused = await context.open();
  await unused.close();
  await smallCount(context.engine, context);
}

async function disposal(context: Context): Promise<void> {
  const engine = await context.open();
  {
    await using held = engine;
    await smallCount(held, context);
  }
  await context.check.rejects("after", () => engine.histogram(new Uint8Array(1)), {
    code: "ERR_UNAVAILABLE",
  });
}

async function twoEngines(context: Context): Promise<void> {
  const [one, other] = await Promise.all([context.open(), context.open()]);
  await Promise.all([
    smallCount(one, context),
    smallCount(other, context),
    smallCount(context.engine, context),
  ]);
  await one.close();
  await smallCount(other, context);
}

async function manyCalls(slugs: readonly string[], { engine, check }: Context): Promise<void> {
  const types: readonly SampleType[] = ["u8", "i16", "f32", "f64", "u32"];
  const calls = Array.from({ length: CALLS }, async (_, i) => {
    const type = types[i % types.length]!;
    const algorithm = slugs[i % slugs.length]!;
    const samples = generate(type, DISTRIBUTIONS[i % DISTRIBUTIONS.length]!, 997 * i, i);
    const axis = wholeAxis(type, 1 + (i % bins));
    if (i % 3 > 0) return check.counts(engine, samples, type, axis, { algorithm });
    await using input = await engine.upload(samples);
    await check.counts(engine, samples, type, axis, { algorithm, input, name: "uploaded" });
  });
  await Promise.all(calls);
}

async function snapshot({ engine, check }: Context): Promise<void> {
  const samples = generate("u8", "gauss", 5001);
  const before = samples.slice();
  await using input = await engine.upload(samples);
  samples.fill(0);
  await check.counts(engine, before, "u8", wholeAxis("u8", bins), {
    input,
    name: "uploaded, then overwritten",
  });
  await using empty = await engine.upload(new Float64Array(0));
  await check.counts(engine, new Float64Array(0), "f64", wholeAxis("f64", bins), { input: empty });
}

async function freed({ engine, check }: Context): Promise<void> {
  const resident: Resident = await engine.upload(generate("u8", "gauss", 77));
  await resident.free();
  await resident.free();
  await resident[Symbol.asyncDispose]();
  await check.rejects("histogram", () => engine.histogram(resident), { code: "ERR_INPUT", says: ["freed"] });
  await check.rejects("extent", () => engine.extent(resident), { code: "ERR_INPUT" });
  const bytes = new Uint8Array(77);
  await check.rejects("a column", () => engine.joint([bytes, resident]), { code: "ERR_INPUT" });
  await check.rejects("a mask", () => engine.histogram(bytes, { mask: resident }), { code: "ERR_INPUT" });
  check.same("freed", resident.freed, true);
  // This must hold even if there is nothing to count.
  const empty = await engine.upload(new Uint32Array(0));
  check.same("freed before", empty.freed, false);
  await empty.free();
  await check.rejects("an empty one", () => engine.histogram(empty), { code: "ERR_INPUT", says: ["freed"] });
}

async function foreignResident(context: Context): Promise<void> {
  const { engine, check } = context;
  const other = await context.open();
  const resident = await other.upload(new Uint8Array(9));
  await check.rejects("histogram", () => engine.histogram(resident), {
    code: "ERR_INPUT",
    says: ["resident"],
  });
  await check.rejects("extent", () => engine.extent(resident), { code: "ERR_INPUT", says: ["resident"] });
  await check.rejects("a column", () => engine.joint([new Uint8Array(9), resident]), { code: "ERR_INPUT" });
  await check.counts(other, new Uint8Array(9), "u8", wholeAxis("u8", bins), { input: resident });
}

async function closeFrees(context: Context): Promise<void> {
  const engine = await context.open();
  const residents = await Promise.all([1, 2, 3].map((n) => engine.upload(new Float32Array(n))));
  await engine.close();
  for (const resident of residents) await resident.free();
  await smallCount(context.engine, context);
}
