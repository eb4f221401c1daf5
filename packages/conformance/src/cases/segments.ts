import { integer, regular, type SampleType } from "@polybin/core";
import { arrayOver, limits, SAMPLE_TRAITS, SAMPLE_TYPES } from "@polybin/core/backend";
import { axesFor, fewAxesFor, wholeAxis } from "../axes.ts";
import type { Case, Context, Topic } from "../case.ts";
import { aroundAxis, DISTRIBUTIONS, generate } from "../generators.ts";
import { Random } from "../random.ts";
import {
  checkSegmented,
  checkSegments,
  expectedOf,
  hasSegments,
  MEMORIES,
  pictureOf,
  rowOf,
} from "../segmenting.ts";

const topic = "segments";
/** Numbers of bins above those of bytes, and above what small tables hold. */
const BINS = [limits.PER_THREAD_64_BINS, 1000, 5003] as const;

/** Cases of one histogram per segment. If a backend does not count segments, all are skipped with its sentence. */
export const segments: Topic = () => [
  ...SAMPLE_TYPES.map(
    (type): Case => ({
      topic,
      name: `${type}: every kind of axis and of segments`,
      run: (context) => everyCut(type, context),
    }),
  ),
  { topic, name: "bytes: one, some and many segments, of any distribution", run: bytes },
  { topic, name: "many bins", run: manyBins },
  { topic, name: "a long segment next to many short and empty ones", run: longBeside },
  { topic, name: "random offsets (property)", run: property },
  { topic, name: "unaligned views, shared memory, and arrays of numbers", run: memory },
  { topic, name: "channels, regions, row pitch and tiles of a picture", run: picture },
  { topic, name: "residents, with tiles if they have rows", run: residents },
  { topic, name: "axes that the data decides, and samples that all have one code", run: axisOfData },
];

async function everyCut(type: SampleType, context: Context): Promise<void> {
  const n = 3001;
  for (const axis of axesFor(type, limits.PER_THREAD_64_BINS)) {
    const sheet = rowOf(type, aroundAxis(axis, type, n));
    for (const how of [{ every: 100 }, { offsets: [3, 3, 64, 1000, 1000, 1001, n - 1] }]) {
      await checkSegments(context, "around the axis", sheet, how, axis);
    }
  }
}

async function bytes(context: Context): Promise<void> {
  const whole = wholeAxis("u8", limits.BYTE_VALUES);
  const n = 40_003;
  for (const distribution of DISTRIBUTIONS) {
    const sheet = rowOf("u8", generate("u8", distribution, n));
    for (const every of [4096, n, 2 * n, 64])
      await checkSegments(context, distribution, sheet, { every }, whole);
    await checkSegments(context, distribution, sheet, { every: 777 }, integer(3, 90));
  }
  // Whole vectors, in one fold of byte counters or several, with a remainder or without.
  for (const distribution of ["uniform", "zeros"] as const) {
    const sheet = rowOf("u8", generate("u8", distribution, n));
    for (const every of [1040, 2032, 4112, 8192, 12_304])
      await checkSegments(context, `${distribution}, whole vectors`, sheet, { every }, whole);
  }
  for (const size of [0, 1, 3, 255, 256, 257]) {
    const sheet = rowOf("u8", generate("u8", "uniform", size));
    for (const every of [1, 5, 256]) await checkSegments(context, "few", sheet, { every }, whole);
    await checkSegments(
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
      for (const every of [150, 7001, 20_011])
        await checkSegments(context, "many bins", sheet, { every }, axis);
    }
  }
  const axis = integer(0, limits.HALF_VALUES);
  await checkSegments(
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
    await checkSegments(context, "long", rowOf(type, generate(type, "gauss", n)), { offsets }, axis);
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
    await checkSegments(context, `seed ${context.seed}, run ${run}`, sheet, { offsets }, axis);
    await checkSegments(
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
    for (const Memory of MEMORIES) {
      for (const offset of [0, 1, 3]) {
        const data = new Uint8Array(new Memory(bytes.length + offset), offset);
        data.set(bytes);
        const input = { data, type };
        await checkSegments(context, `at ${offset}`, rowOf(type, values), { every: 1009 }, axis, { input });
      }
    }
    const view = arrayOver(type, bytes.subarray(7 * size));
    await checkSegments(context, "a subarray", rowOf(type, view), { every: 1009 }, axis);
  }
  const numbers = [1, 2, Number.NaN, -1, 0.5];
  await checkSegments(
    context,
    "numbers",
    rowOf("f64", Float64Array.from(numbers)),
    { every: 2 },
    regular(3, 0, 2),
    {
      input: numbers,
    },
  );
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
        await checkSegments(context, what, sheet, how, axis, { input, channel });
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
    await checkSegments(context, "a resident", sheet, how, axis, { input: resident });
  }
  await using flat = await engine.upload(values);
  await checkSegments(context, "a flat resident", rowOf("u8", values), { every: 64 }, axis, { input: flat });
  if (await hasSegments(context)) {
    const tiles = { tiles: { width: 4, height: 4 } };
    const without = { code: "ERR_INPUT", says: ["samples with a width"] };
    await check.rejects("tiles of a resident without rows", () => engine.segments(flat, tiles), without);
  }
}

async function axisOfData(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
  const values = generate("f32", "gauss", 5000);
  const found = await engine.segments(values, { every: 700 }, { bins: 20 });
  const { axis } = await engine.histogram(values, { bins: 20 });
  check.same("the axis of the data", JSON.stringify(found.axis), JSON.stringify(axis));
  checkSegmented(check, "the data's range", found, expectedOf(rowOf("f32", values), { every: 700 }, axis));
  const below = integer(-20, -10);
  await checkSegments(context, "one code", rowOf("u32", Uint32Array.of(1, 2, 3)), { every: 2 }, below);
}
