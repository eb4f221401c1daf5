import {
  type Axis,
  type Countable,
  integer,
  regular,
  type SampleType,
  type SegmentsInit,
} from "@polybin/core";
import { arrayOver, limits, SAMPLE_TRAITS, SAMPLE_TYPES, type SampleArray } from "@polybin/core/backend";
import { axesFor, fewAxesFor, wholeAxis } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { describeError } from "../checker.ts";
import { aroundAxis, DISTRIBUTIONS, filled, generate } from "../generators.ts";
import { Random } from "../random.ts";
import { checkSegmented, expectedOf, pictureOf, type Sheet } from "../segmenting.ts";

const topic = "segments";
/** Bins beyond bytes' own, and beyond what small tables hold. */
const BINS = [limits.PER_THREAD_64_BINS, 1000, 5003] as const;
const REASON: Error = new Error("the user has gone home");

/** A histogram for each segment: every case is skipped with its sentence where a backend counts none. */
export const segments: Topic = () => [
  ...SAMPLE_TYPES.map(
    (type): Case => ({
      topic,
      name: `${type}: every kind of axis and of cut`,
      run: (context) => everyCut(type, context),
    }),
  ),
  { topic, name: "bytes: one, some and many segments, of any distribution", run: bytes },
  { topic, name: "many bins", run: manyBins },
  { topic, name: "a long segment beside many short and empty ones", run: longBeside },
  { topic, name: "offsets at random, properties", run: property },
  { topic, name: "views that are not aligned, shared memory, and numbers", run: memory },
  { topic, name: "channels, regions, row pitch and tiles of a picture", run: picture },
  { topic, name: "residents, with tiles where they have rows", run: residents },
  { topic, name: "axes that the samples decide, and codes that are all one", run: axisOfData },
  { topic, name: "into an array of the caller's, which is overwritten", run: into },
  { topic, name: "left on the device, read in parts and freed", run: left },
  { topic, name: "as many calls at once as there are", run: atOnce },
  { topic, name: "aborted before, at once and in the middle; exact afterwards", run: aborted },
  { topic, name: "progress ascends and ends at the total", run: progress },
  { topic, name: "descriptions that do not fit", run: wrong },
  { topic, name: "supports, explain and what a result says of itself", run: provenance },
];

/** Counts and compares; a backend without segments refuses. */
async function counts(
  { engine, check }: Context,
  what: string,
  sheet: Sheet,
  how: SegmentsInit,
  axis: Axis,
  { input = sheet.values, channel }: { readonly input?: Countable; readonly channel?: number } = {},
): Promise<void> {
  const name = `${what}, ${sheet.values.length} ${sheet.type}, ${describe(how)}, ${axis.type} of ${axis.bins}`;
  await check.unlessRefused(name, async () => {
    const found = await engine.segments(input, how, { axis, channel });
    checkSegmented(check, name, found, expectedOf(sheet, how, axis));
  });
}

function describe({ every, offsets, tiles }: SegmentsInit): string {
  if (every !== undefined) return `every ${every}`;
  return tiles === undefined ? `${offsets!.length} offsets` : `tiles ${tiles.width}x${tiles.height}`;
}

function rowOf(type: SampleType, values: SampleArray): Sheet {
  return { type, values, width: values.length };
}

async function everyCut(type: SampleType, context: Context): Promise<void> {
  const n = 3001;
  for (const axis of axesFor(type, limits.PER_THREAD_64_BINS)) {
    const sheet = rowOf(type, aroundAxis(axis, type, n));
    for (const how of [{ every: 100 }, { offsets: [3, 3, 64, 1000, 1000, 1001, n - 1] }]) {
      await counts(context, "around the axis", sheet, how, axis);
    }
  }
}

async function bytes(context: Context): Promise<void> {
  const whole = wholeAxis("u8", limits.BYTE_VALUES);
  const n = 40_003;
  for (const distribution of DISTRIBUTIONS) {
    const sheet = rowOf("u8", generate("u8", distribution, n));
    for (const every of [4096, n, 2 * n, 64]) await counts(context, distribution, sheet, { every }, whole);
    await counts(context, distribution, sheet, { every: 777 }, integer(3, 90));
  }
  for (const size of [0, 1, 3, 255, 256, 257]) {
    const sheet = rowOf("u8", generate("u8", "uniform", size));
    for (const every of [1, 5, 256]) await counts(context, "few", sheet, { every }, whole);
    await counts(
      context,
      "more segments than samples",
      sheet,
      { offsets: new Uint32Array(999).fill(size) },
      whole,
    );
  }
}

async function manyBins(context: Context): Promise<void> {
  for (const type of ["u8", "u16", "f32", "f64"] as const) {
    for (const bins of BINS) {
      const axis = fewAxesFor(type, bins)[1]!;
      const sheet = rowOf(type, aroundAxis(axis, type, 20_011));
      for (const every of [150, 7001, 20_011]) await counts(context, "many bins", sheet, { every }, axis);
    }
  }
  const axis = integer(0, limits.HALF_VALUES);
  await counts(
    context,
    "all values",
    rowOf("u16", generate("u16", "uniform", 150_001)),
    { every: 70_000 },
    axis,
  );
}

async function longBeside(context: Context): Promise<void> {
  for (const type of ["u8", "f32"] as const) {
    const n = 600_000;
    const offsets = [
      ...Array.from({ length: 500 }, (_, i) => 7 * i),
      ...Array.from({ length: 500 }, () => 3500),
      ...Array.from({ length: 500 }, (_, i) => n - 2000 + 3 * i),
    ];
    const axis = wholeAxis(type, limits.BYTE_VALUES);
    await counts(context, "long", rowOf(type, generate(type, "gauss", n)), { offsets }, axis);
  }
}

async function property(context: Context): Promise<void> {
  const random = new Random(context.seed);
  for (let run = 0; run < context.runs; run++) {
    const type = SAMPLE_TYPES[random.below(SAMPLE_TYPES.length)]!;
    const n = random.below(5000);
    const axes = axesFor(type, 1 + random.below(300));
    const axis = axes[random.below(axes.length)]!;
    const sheet = rowOf(type, aroundAxis(axis, type, n, run + 1));
    const offsets = Array.from({ length: 1 + random.below(60) }, () => random.below(n + 1)).sort(
      (a, b) => a - b,
    );
    await counts(context, `seed ${context.seed}, run ${run}`, sheet, { offsets }, axis);
    await counts(
      context,
      `seed ${context.seed}, run ${run}`,
      sheet,
      { every: 1 + random.below(n + 9) },
      axis,
    );
  }
}

async function memory(context: Context): Promise<void> {
  for (const type of ["u8", "i16", "u32", "f32", "f64"] as const) {
    const size = SAMPLE_TRAITS[type].bytes;
    const axis = wholeAxis(type, limits.PER_THREAD_64_BINS);
    const values = generate(type, "gauss", 10_007);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
      for (const offset of [0, 1, 3]) {
        const data = new Uint8Array(new Buffer(bytes.length + offset), offset);
        data.set(bytes);
        const input = { data, type };
        await counts(context, `at ${offset}`, rowOf(type, values), { every: 1009 }, axis, { input });
      }
    }
    const view = arrayOver(type, bytes.subarray(7 * size));
    await counts(context, "a subarray", rowOf(type, view), { every: 1009 }, axis);
  }
  const numbers = [1, 2, Number.NaN, -1, 0.5];
  await counts(context, "numbers", rowOf("f64", Float64Array.from(numbers)), { every: 2 }, regular(3, 0, 2), {
    input: numbers,
  });
}

const REGION = { x: 5, y: 3, width: 83, height: 40 };

async function picture(context: Context): Promise<void> {
  let turn = 0;
  for (const type of ["u8", "u16", "f32", "i32", "f64"] as const) {
    for (let channels = 1; channels <= limits.MAX_CHANNELS; channels++) {
      const axis = axesFor(type, limits.PER_THREAD_64_BINS)[turn % 9]!;
      const values = aroundAxis(axis, type, 97 * 47 * channels, channels);
      const channel = channels - 1;
      const padding = [0, 8, 3][turn++ % 3]!;
      const region = turn % 2 === 0 ? REGION : { x: 0, y: 0, width: 97, height: 47 };
      const { input, sheet } = pictureOf(type, values, { channels, width: 97, padding, region, channel });
      const what = `channel ${channel} of ${channels}, padding ${padding}, ${region.width} wide`;
      for (const how of [
        { tiles: { width: 16, height: 16 } },
        { tiles: { width: 200, height: 7 } },
        { tiles: { width: 1, height: 47 } },
        { every: 500 },
        { offsets: [17, 400, 400, 2999] },
      ]) {
        await counts(context, what, sheet, how, axis, { input, channel });
      }
    }
  }
}

async function residents(context: Context): Promise<void> {
  const { engine, check } = context;
  const axis = integer(10, 200);
  const values = generate("u8", "gauss", 97 * 47);
  const { input, sheet } = pictureOf("u8", values, {
    channels: 1,
    width: 97,
    padding: 3,
    region: REGION,
    channel: 0,
  });
  await using resident = await engine.upload(input as Uint8Array);
  for (const how of [{ every: 100 }, { offsets: [5, 5, 900] }, { tiles: { width: 13, height: 11 } }]) {
    await counts(context, "a resident", sheet, how, axis, { input: resident });
  }
  await using flat = await engine.upload(values);
  await counts(context, "a flat resident", rowOf("u8", values), { every: 64 }, axis, { input: flat });
  if (hasSegments(context)) {
    const tiles = { tiles: { width: 4, height: 4 } };
    const without = { code: "ERR_INPUT", says: ["samples with a width"] };
    await check.rejects("tiles of a resident without rows", () => engine.segments(flat, tiles), without);
  }
}

/** Else the sentence that refuses stands in the case's refusals. */
function hasSegments({ engine, check }: Context): boolean {
  const found = engine.supports({ samples: 1, segments: { every: 1 } });
  if (typeof found === "string") check.refused(found);
  return typeof found !== "string";
}

async function axisOfData(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  const values = generate("f32", "gauss", 5000);
  const found = await engine.segments(values, { every: 700 }, { bins: 20 });
  const { axis } = await engine.histogram(values, { bins: 20 });
  check.same("the axis of the data", JSON.stringify(found.axis), JSON.stringify(axis));
  checkSegmented(check, "the data's range", found, expectedOf(rowOf("f32", values), { every: 700 }, axis));
  const below = integer(-20, -10);
  await counts(context, "one code", rowOf("u32", Uint32Array.of(1, 2, 3)), { every: 2 }, below);
}

async function into(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  const values = generate("u8", "gauss", 10_001);
  for (const axis of [wholeAxis("u8", limits.BYTE_VALUES), integer(100, 130)]) {
    const expected = expectedOf(rowOf("u8", values), { every: 1000 }, axis);
    for (const Buffer of [ArrayBuffer, SharedArrayBuffer]) {
      const room = new Uint32Array(new Buffer(4 * 11 * axis.bins + 8), 4, 11 * axis.bins);
      for (let i = 0; i < 2; i++) {
        room.fill(99);
        const found = await engine.segments(values, { every: 1000 }, { axis, into: room });
        check.ok("counts are the array that was given", found.counts === room);
        checkSegmented(check, `into, ${axis.bins} bins`, found, expected);
      }
      const around = new Uint32Array(room.buffer);
      check.same("before it", around[0], 0);
      check.same("behind it", around.at(-1), 0);
    }
  }
}

async function left(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  const axis = regular(37, -900, 600);
  const values = aroundAxis(axis, "f32", 9001);
  const expected = expectedOf(rowOf("f32", values), { every: 250 }, axis);
  await check.unlessRefused("leave", async () => {
    const rows = await engine.segments(values, { every: 250 }, { axis, leave: true });
    check.same("segments", rows.segments, expected.length);
    for (const [first, count] of [
      [0, expected.length],
      [3, 5],
      [expected.length - 1, 1],
      [4, 0],
    ] as const) {
      const found = await rows.read(first, count);
      checkSegmented(check, `rows ${first} to ${first + count}`, found, expected.slice(first, first + count));
    }
    const room = new Uint32Array(2 * axis.bins).fill(7);
    checkSegmented(check, "read into", await rows.read(7, 2, { into: room }), expected.slice(7, 9));
    await rows.free();
    await rows.free();
    check.ok("freed", rows.freed);
    await check.rejects("read after free", () => rows.read(), { code: "ERR_INPUT", says: ["freed"] });
    // What nobody frees is freed with the engine.
    const other = await context.open();
    const kept = await other.segments(values, { every: 250 }, { axis, leave: true });
    await other.close();
    check.ok("freed by close", kept.freed);
    await check.rejects("read after close", () => kept.read(), { code: "ERR_UNAVAILABLE" });
  });
}

async function atOnce(context: Context): Promise<void> {
  const axis = wholeAxis("u8", limits.BYTE_VALUES);
  const sheets = [10_007, 4096, 1, 70_000, 33_333].map((n, i) =>
    rowOf("u8", generate("u8", "gauss", n, i + 1)),
  );
  await Promise.all(
    sheets.flatMap((sheet) =>
      [97, 4096, 65_536].map((every) => counts(context, "at once", sheet, { every }, axis)),
    ),
  );
}

async function aborted(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  const values = filled("u8", 3, 2 ** 23 + 1);
  const rejects = async (what: string, work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      () => "nothing",
      (thrown: unknown) => thrown,
    );
    check.ok(
      `${what}: expected the signal's reason but ${describeError(error)} was thrown`,
      error === REASON,
    );
  };
  await rejects("before", engine.segments(values, { every: 4096 }, { signal: AbortSignal.abort(REASON) }));
  for (const leave of [false, true]) {
    const now = new AbortController();
    const running = engine.segments(values, { every: 4096 }, { signal: now.signal, leave });
    now.abort(REASON);
    await rejects(`at once, leave ${leave}`, running);
  }
  const middle = new AbortController();
  const timer = setTimeout(() => middle.abort(REASON), 1);
  const onProgress = (): void => middle.abort(REASON);
  await rejects(
    "in the middle",
    engine.segments(values, { every: 4096 }, { signal: middle.signal, onProgress }),
  );
  clearTimeout(timer);
  const axis = wholeAxis("u8", limits.BYTE_VALUES);
  await counts(context, "after an abort", rowOf("u8", generate("u8", "gauss", 70_001)), { every: 999 }, axis);
}

async function progress(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  for (const n of [0, 1, 300_001]) {
    const told: number[] = [];
    const values = generate("f32", "gauss", n);
    await engine.segments(
      values,
      { every: 5000 },
      {
        axis: regular(9, -100, 100),
        onProgress: ({ done, total }) => {
          told.push(done);
          check.same("total", total, n);
        },
      },
    );
    check.ok(
      `progress descends: ${told}`,
      told.every((done, i) => i === 0 || done >= told[i - 1]!),
    );
    check.same("the last told", told.at(-1), n);
  }
}

async function wrong(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!hasSegments(context)) return;
  const values = new Uint8Array(100);
  const descriptions: readonly unknown[] = [
    undefined,
    5,
    {},
    { every: 0 },
    { every: -3 },
    { every: 2.5 },
    { every: 5, offsets: [0] },
    { offsets: [] },
    { offsets: [0, 50, 49] },
    { offsets: [0, 101] },
    { offsets: [0, Number.NaN] },
    { tiles: { width: 4, height: 4 } },
    { tiles: { width: 0, height: 4 } },
  ];
  for (const how of descriptions) {
    const call = () => engine.segments(values, how as SegmentsInit);
    await check.rejects(`segments ${JSON.stringify(how)}`, call, { code: "ERR_INPUT" });
  }
  const options: readonly (readonly [object, string])[] = [
    [{ into: new Uint32Array(3) }, "ERR_INPUT"],
    [{ into: new Float64Array(256) }, "ERR_INPUT"],
    [{ channel: 1 }, "ERR_INPUT"],
    [{ leave: "yes" }, "ERR_INPUT"],
    [{ algorithm: "no such" }, "ERR_UNSUPPORTED"],
  ];
  for (const [given, code] of options) {
    await check.rejects(
      `options ${Object.keys(given)}`,
      () => engine.segments(values, { every: 100 }, given),
      { code },
    );
  }
  await check.rejects("a stream", () => engine.segments(new Blob([values]), { every: 1 }), {
    code: "ERR_UNSUPPORTED",
  });
}

async function provenance(context: Context): Promise<void> {
  const { engine, check, backend } = context;
  if (!hasSegments(context)) return;
  const values = generate("u8", "gauss", 1000);
  const found = await engine.segments(values, { every: 300 }, { timings: true });
  check.same("backend", found.backend, engine.backend);
  check.same("device", found.device, engine.device);
  check.same("segments of the plan", JSON.stringify(found.plan?.segments), '{"count":4,"longest":300}');
  check.ok("timings that were asked for", found.timings !== null && found.timings.totalMs > 0);
  check.same("timings that were not", (await engine.segments(values, { every: 300 })).timings, null);
  const { plan, launch, algorithm } = engine.explain({ samples: 1000, segments: { every: 300 } });
  check.same("the explained plan", JSON.stringify(plan), JSON.stringify(found.plan));
  check.ok("its launch says something", Object.keys(launch).length > 0);
  check.same("the algorithm", algorithm, found.algorithm);
  for (const one of backend.algorithms) {
    const answer = engine.supports({ samples: 1000, segments: { every: 300 }, algorithm: one.slug });
    const says = one.segments === true ? "object" : "string";
    check.same(`${one.slug} and segments`, typeof answer, says);
  }
}
