import { type Engine, type Progress, regular } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { describeError } from "../checker.ts";
import { filled, generate } from "../generators.ts";

const bins = limits.PER_THREAD_64_BINS;
const axis = wholeAxis("u8", bins);
const REASON: Error = new Error("the caller aborted the call");
/** Number of samples of an input that takes a while to count. */
const LONG = { small: 2 ** 25 + 1, full: 2 ** 29 + 1 } as const;
/** Minimum number of launches of a long input, so that a call can be aborted in the middle. */
const LAUNCHES = 8;
const SHORTEST: number = 2 ** 22 + 1;

/** Options of every kind of call. */
type Told = { readonly signal?: AbortSignal; readonly onProgress?: (of: Progress) => void };

/** The kinds of calls, over samples of one value. */
const CALLS: Readonly<Record<string, (engine: Engine, samples: Uint8Array, told: Told) => Promise<unknown>>> =
  {
    histogram: (engine, samples, told) => engine.histogram(samples, told),
    histograms: (engine, samples, told) => engine.histograms(samples, told),
    "several columns": (engine, samples, told) => engine.joint([samples, samples], told),
    segments: (engine, samples, told) => engine.segments(samples, { every: 4096 }, told),
    "segments that stay": (engine, samples, told) =>
      engine.segments(samples, { every: 4096 }, { ...told, leave: true }),
    "a mask": (engine, samples, told) => engine.histogram(samples, { ...told, mask: samples }),
    groups: (engine, samples, told) =>
      engine.histogram(samples, { ...told, by: { codes: samples, groups: limits.BYTE_VALUES } }),
  };

/** Cases of AbortSignal and onProgress. */
export const abort: Topic = ({ slugs }) => [
  { topic: "abort", name: "a signal that is already aborted: nothing is counted", run: before },
  { topic: "abort", name: "aborted right after the call", run: rightAfter },
  ...(["auto", ...slugs] as const).map(
    (slug): Case => ({
      topic: "abort",
      name: `${slug}: aborted in the middle, exact afterwards`,
      run: (context) => inTheMiddle(slug, context),
    }),
  ),
  { topic: "abort", name: "one of several calls is aborted, the others are exact", run: oneOfSeveral },
  { topic: "abort", name: "a signal that never fires, or fires after the end, changes nothing", run: idle },
  {
    topic: "abort",
    name: "progress ascends and ends at the total",
    run: (context) => progress(slugs, context),
  },
  {
    topic: "abort",
    name: "onProgress throws: the call rejects with that error, and the engine still works",
    run: (context) => throwing(slugs, context),
  },
];

/** Checks that the call rejects with the signal's own reason. */
async function rejectsWithReason({ check }: Context, what: string, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => "nothing",
    (thrown: unknown) => thrown,
  );
  check.ok(`${what}: expected the signal's reason but ${describeError(error)} was thrown`, error === REASON);
}

async function stillExact({ engine, check }: Context): Promise<void> {
  await check.counts(engine, generate("u8", "gauss", 70_001), "u8", axis, { name: "after an abort" });
}

async function before(context: Context): Promise<void> {
  const { engine } = context;
  const signal = AbortSignal.abort(REASON);
  const samples = new Uint8Array(99);
  for (const [name, call] of Object.entries(CALLS))
    await rejectsWithReason(context, name, call(engine, samples, { signal }));
  await rejectsWithReason(context, "upload", engine.upload(samples, { signal }));
  await rejectsWithReason(context, "extent", engine.extent(samples, { signal }));
  await rejectsWithReason(context, "a stream", engine.histogram(new Blob([samples]), { signal }));
  await rejectsWithReason(context, "no samples", engine.histogram(new Uint8Array(0), { signal }));
  await stillExact(context);
}

async function rightAfter(context: Context): Promise<void> {
  const { engine } = context;
  const samples = new Uint8Array(SHORTEST).fill(3);
  for (const [name, call] of Object.entries(CALLS)) {
    const controller = new AbortController();
    const running = call(engine, samples, { signal: controller.signal });
    controller.abort(REASON);
    await rejectsWithReason(context, `${name}, at once`, running);
    const middle = new AbortController();
    const stop = () => middle.abort(REASON);
    const timer = setTimeout(stop);
    const late = call(engine, samples, { signal: middle.signal, onProgress: stop });
    // A device may be faster than the timer and report no progress.
    const isOver = await late.then(
      () => true,
      () => false,
    );
    clearTimeout(timer);
    if (!isOver) await rejectsWithReason(context, `${name}, in the middle`, late);
  }
  await stillExact(context);
}

async function longEnough(slug: string, engine: Engine, size: Context["size"]): Promise<number | string> {
  if (slug === "auto") return LONG[size];
  const found = await engine.supports({ algorithm: slug, axis, samples: LONG[size] });
  if (typeof found === "string") return found;
  return Math.min(LONG[size], Math.max(SHORTEST, LAUNCHES * found.chunkSamples + 1));
}

/**
 * Aborts at the first sign of progress. A backend that has reported less than a quarter by then has time to stop. If
 * it later reports everything, it has ignored the signal.
 */
async function inTheMiddle(algorithm: string, context: Context): Promise<void> {
  const { engine, check, size } = context;
  const least = await longEnough(algorithm, engine, size);
  if (typeof least === "string") return check.refused(least);
  // A device may finish before it handles the signal. That is not a fault, but the case needs a middle to abort in. The
  // longest input is aborted in any case.
  let n = least;
  while (!(await isAborted(algorithm, n, context)) && n < LONG.full) n = Math.min(LONG.full, 4 * n);
}

/** Runs one call of `inTheMiddle`. @returns false if the call ended before it could be aborted. */
async function isAborted(algorithm: string, n: number, context: Context): Promise<boolean> {
  const { engine, check } = context;
  const controller = new AbortController();
  const { signal } = controller;
  const told: number[] = [];
  let settled = false;
  let late = 0;
  const onProgress = ({ done }: Progress): void => {
    told.push(done);
    if (settled) late++;
    controller.abort(REASON);
  };
  const running = engine.histogram(filled("u8", 1, n), { axis, algorithm, signal, onProgress });
  // A device that reports no progress is aborted while it works.
  const timer = setTimeout(() => controller.abort(REASON));
  const isOverBefore = await running.then(
    () => true,
    () => false,
  );
  clearTimeout(timer);
  settled = true;
  if (isOverBefore && n < LONG.full) return false;
  await rejectsWithReason(context, `${algorithm}, ${n} samples`, running);
  if (told.length > 0 && told[0]! <= n / 4) {
    check.ok(`${algorithm}: aborted at ${told[0]} of ${n} samples but counted them all`, told.at(-1)! < n);
  }
  await stillExact(context);
  check.same(`${algorithm}: calls of onProgress after the rejection`, late, 0);
  const some = generate("u8", "gauss", 70_001);
  await check.counts(engine, some, "u8", axis, { algorithm, name: "after an abort" });
  return true;
}

async function oneOfSeveral(context: Context): Promise<void> {
  const { engine, check } = context;
  const controller = new AbortController();
  const samples = generate("f32", "gauss", 1_000_001);
  const others = [0, 1, 2, 3].map(() => check.counts(engine, samples, "f32", regular(bins, -100, 100)));
  const { signal } = controller;
  const aborted = engine.histogram(samples, { axis: regular(bins, -100, 100), signal });
  controller.abort(REASON);
  await rejectsWithReason(context, "the aborted one", aborted);
  await Promise.all(others);
}

async function idle({ engine, check }: Context): Promise<void> {
  const controller = new AbortController();
  const samples = generate("u8", "gauss", 9999);
  for (let i = 0; i < 3; i++) {
    await check.counts(engine, samples, "u8", axis, { signal: controller.signal });
  }
  controller.abort(REASON);
  await check.counts(engine, samples, "u8", axis);
}

async function progress(slugs: readonly string[], { engine, check }: Context): Promise<void> {
  const one = regular(bins, 10, 200);
  const chosen = ["auto", ...slugs].map((algorithm) => {
    const call: (typeof CALLS)[string] = (of, samples, told) =>
      of.histogram(samples, { axis: one, algorithm, ...told });
    return [algorithm, call] as const;
  });
  for (const [name, call] of [...chosen, ...Object.entries(CALLS)]) {
    for (const n of [0, 1, 200_003]) {
      const told: Progress[] = [];
      const onProgress = (of: Progress): void => {
        told.push(of);
      };
      const samples = generate("u8", "uniform", n) as Uint8Array;
      await check.unlessRefused(name, async () => {
        await call(engine, samples, { onProgress });
        const done = told.map((of) => of.done);
        const what = `${name}, ${n} samples: ${done.slice(0, 9)}`;
        check.ok(
          `${what} descends`,
          done.every((value, i) => i === 0 || value >= done[i - 1]!),
        );
        check.same(`${what}: last`, done.at(-1), n);
        check.ok(
          `${what}: total`,
          told.every(({ total }) => total === n),
        );
      });
    }
  }
}

/** `auto` counts a long input, so that a second call of onProgress would be seen. The others only need to reject. */
async function throwing(slugs: readonly string[], context: Context): Promise<void> {
  const { engine, check } = context;
  for (const algorithm of ["auto", ...slugs] as const) {
    const long = await longEnough(algorithm, engine, "small");
    if (typeof long === "string") check.refused(long);
    else {
      const n = algorithm === "auto" ? long : SHORTEST;
      let calls = 0;
      const onProgress = (): void => {
        calls++;
        throw REASON;
      };
      const running = engine.histogram(filled("u8", 1, n), { axis, algorithm, onProgress });
      await rejectsWithReason(context, `${algorithm}, ${n} samples`, running);
      check.same(`${algorithm}: calls of onProgress`, calls, 1);
    }
  }
  const onProgress = (): void => {
    throw REASON;
  };
  const stream = engine.histogram(new Blob([new Uint8Array(99)]), { onProgress });
  await rejectsWithReason(context, "a stream", stream);
  await stillExact(context);
}
