import type { ChannelsPlan } from "@polybin/core";
import { integer, regular, type SegmentsInit } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { describeError } from "../checker.ts";
import { aroundAxis, filled, generate } from "../generators.ts";
import { checkSegmented, checkSegments, expectedOf, hasSegments, MEMORIES, rowOf } from "../segmenting.ts";

const topic = "segments";
const REASON: Error = new Error("the caller aborted the call");

/** Cases of how calls of segments behave, whatever they count. */
export const segmentCalls: Topic = () => [
  { topic, name: "into the caller's array, which is overwritten", run: into },
  { topic, name: "left on the device, read in parts and freed", run: left },
  { topic, name: "several calls at once", run: atOnce },
  { topic, name: "aborted before, at once and in the middle; exact afterwards", run: aborted },
  { topic, name: "progress ascends and ends at the total", run: progress },
  { topic, name: "descriptions that do not fit", run: wrong },
  { topic, name: "supports, explain and the provenance of a result", run: provenance },
];

async function into(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
  const values = generate("u8", "gauss", 10_001);
  for (const axis of [wholeAxis("u8", limits.BYTE_VALUES), integer(100, 130)]) {
    const expected = expectedOf(rowOf("u8", values), { every: 1000 }, axis);
    for (const Memory of MEMORIES) {
      const room = new Uint32Array(new Memory(4 * 11 * axis.bins + 8), 4, 11 * axis.bins);
      for (let i = 0; i < 2; i++) {
        room.fill(99);
        const found = await engine.segments(values, { every: 1000 }, { axis, into: room });
        check.ok("counts are the array that was passed", found.counts === room);
        checkSegmented(check, `into, ${axis.bins} bins`, found, expected);
      }
      const around = new Uint32Array(room.buffer);
      check.same("before it", around[0], 0);
      check.same("after it", around.at(-1), 0);
    }
  }
}

async function left(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
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
    check.same("timings that were not requested", rows.timings, null);
    // The next rows may use the memory of these.
    const turned = values.toReversed();
    const again = await engine.segments(turned, { every: 250 }, { axis, leave: true, timings: true });
    const wanted = expectedOf(rowOf("f32", turned), { every: 250 }, axis);
    checkSegmented(check, "left again", await again.read(), wanted);
    check.ok("timings that were requested", again.timings !== null && again.timings.totalMs > 0);
    await again.free();
    // Closing the engine frees counts that nobody freed.
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
      [97, 4096, 65_536].map((every) => checkSegments(context, "at once", sheet, { every }, axis)),
    ),
  );
}

async function aborted(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
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
  await checkSegments(
    context,
    "after an abort",
    rowOf("u8", generate("u8", "gauss", 70_001)),
    { every: 999 },
    axis,
  );
}

async function progress(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
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
    check.same("the last progress", told.at(-1), n);
  }
}

async function wrong(context: Context): Promise<void> {
  const { engine, check } = context;
  if (!(await hasSegments(context))) return;
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
  const stream = () => new Blob([values]).stream();
  await check.rejects("a stream of any length", () => engine.segments(stream(), { every: 1 }), {
    code: "ERR_UNSUPPORTED",
  });
}

async function provenance(context: Context): Promise<void> {
  const { engine, check, backend } = context;
  if (!(await hasSegments(context))) return;
  const values = generate("u8", "gauss", 1000);
  const found = await engine.segments(values, { every: 300 }, { timings: true });
  check.same("backend", found.backend, engine.backend);
  check.same("device", found.device, engine.device);
  check.same(
    "segments of the plan",
    JSON.stringify((found.plan as ChannelsPlan | null)?.segments),
    '{"count":4,"longest":300}',
  );
  check.ok("timings that were requested", found.timings !== null && found.timings.totalMs > 0);
  check.same("timings that were not", (await engine.segments(values, { every: 300 })).timings, null);
  const { plan, launch, algorithm } = await engine.explain({ samples: 1000, segments: { every: 300 } });
  check.same("the explained plan", JSON.stringify(plan), JSON.stringify(found.plan));
  check.ok("its launch is not empty", Object.keys(launch).length > 0);
  check.same("the algorithm", algorithm, found.algorithm);
  for (const one of backend.algorithms) {
    const answer = await engine.supports({ samples: 1000, segments: { every: 300 }, algorithm: one.slug });
    const says = one.segments === true ? "object" : "string";
    check.same(`${one.slug} and segments`, typeof answer, says);
  }
}
