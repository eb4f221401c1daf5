import type { ChannelsPlan } from "@polybin/core";
import { integer, regular, type Segmented, type SegmentsInit } from "@polybin/core";
import { limits, type SampleArray } from "@polybin/core/backend";
import { wholeAxis } from "../axes.ts";
import type { Context, Topic } from "../case.ts";
import { aroundAxis, generate } from "../generators.ts";
import { countByDefinition, type Expected } from "../oracle/counts.ts";

const topic = "segments";

/** Cases of where the rows of segments lie, and of what a result says. The combinations count them. */
export const segments: Topic = () => [
  { topic, name: "into the caller's array, which is overwritten", run: into },
  { topic, name: "left on the device, read in parts and freed", run: left },
  { topic, name: "supports, explain and the provenance of a result", run: provenance },
];

/** The kinds of memory. A page may have no shared memory. */
const MEMORIES: readonly (ArrayBufferConstructor | SharedArrayBufferConstructor)[] =
  typeof SharedArrayBuffer === "undefined" ? [ArrayBuffer] : [ArrayBuffer, SharedArrayBuffer];

/** Compares rows from `first` on with segments of equal length. */
function checkRows(
  { check }: Context,
  what: string,
  found: Segmented,
  samples: SampleArray,
  { every, first = 0 }: { readonly every: number; readonly first?: number },
): void {
  const { axis, type } = found;
  for (let row = 0; row < found.segments; row++) {
    const from = (first + row) * every;
    const expected: Expected = countByDefinition(
      axis,
      type,
      samples.subarray(from, from + every) as SampleArray,
    );
    const counts = found.counts.subarray(row * axis.bins, (row + 1) * axis.bins);
    check.sameNumbers(`${what}: row ${row}`, counts, expected.counts);
    for (const name of ["underflow", "overflow", "nan"] as const)
      check.same(`${what}: ${name} of row ${row}`, found[name][row], expected[name]);
  }
}

async function into(context: Context): Promise<void> {
  const { engine, check } = context;
  const values = generate("u8", "gauss", 10_001);
  const every = 1000;
  for (const axis of [wholeAxis("u8", limits.BYTE_VALUES), integer(100, 130)]) {
    for (const Memory of MEMORIES) {
      const room = new Uint32Array(new Memory(4 * 11 * axis.bins + 8), 4, 11 * axis.bins);
      for (let i = 0; i < 2; i++) {
        room.fill(99);
        const found = await engine.segments(values, { every }, { axis, into: room });
        check.ok("counts are the array that was passed", found.counts === room);
        check.same("segments", found.segments, 11);
        checkRows(context, `into, ${axis.bins} bins`, found, values, { every });
      }
      const around = new Uint32Array(room.buffer);
      check.same("before it", around[0], 0);
      check.same("after it", around.at(-1), 0);
    }
  }
}

async function left(context: Context): Promise<void> {
  const { engine, check } = context;
  const axis = regular(37, -900, 600);
  const values = aroundAxis(axis, "f32", 9001);
  const every = 250;
  await check.unlessRefused("leave", async () => {
    const rows = await engine.segments(values, { every }, { axis, leave: true });
    check.same("segments", rows.segments, 37);
    for (const [first, count] of [
      [0, 37],
      [3, 5],
      [36, 1],
      [4, 0],
    ] as const) {
      const found = await rows.read(first, count);
      check.same("rows", found.segments, count);
      checkRows(context, `${count} rows from ${first} on`, found, values, { every, first });
    }
    const room = new Uint32Array(2 * axis.bins).fill(7);
    checkRows(context, "read into", await rows.read(7, 2, { into: room }), values, { every, first: 7 });
    await rows.free();
    await rows.free();
    check.ok("freed", rows.freed);
    await check.rejects("read after free", () => rows.read(), { code: "ERR_INPUT", says: ["freed"] });
    check.same("timings that were not requested", rows.timings, null);
    // The next rows may use the memory of these.
    const turned = values.toReversed() as SampleArray;
    const again = await engine.segments(turned, { every }, { axis, leave: true, timings: true });
    checkRows(context, "left again", await again.read(), turned, { every });
    check.ok("timings that were requested", again.timings !== null && again.timings.totalMs > 0);
    await again.free();
    // Closing the engine frees counts that nobody freed.
    const other = await context.open();
    const kept = await other.segments(values, { every }, { axis, leave: true });
    await other.close();
    check.ok("freed by close", kept.freed);
    await check.rejects("read after close", () => kept.read(), { code: "ERR_UNAVAILABLE" });
  });
}

async function provenance({ engine, check, backend }: Context): Promise<void> {
  const values = generate("u8", "gauss", 1000);
  const how: SegmentsInit = { every: 300 };
  const found = await engine.segments(values, how, { timings: true });
  check.same("backend", found.backend, engine.backend);
  check.same("device", found.device, engine.device);
  check.ok("timings that were requested", found.timings !== null && found.timings.totalMs > 0);
  check.same("timings that were not", (await engine.segments(values, how)).timings, null);
  const { plan, launch, algorithm } = await engine.explain({ samples: 1000, segments: how });
  check.same("the explained plan", JSON.stringify(plan), JSON.stringify(found.plan));
  check.ok("its launch is not empty", Object.keys(launch).length > 0);
  check.same("the algorithm", algorithm, found.algorithm);
  if (!backend.algorithms.some((one) => one.segments === true)) return;
  const { segments: planned } = found.plan as ChannelsPlan;
  check.same("segments of the plan", JSON.stringify(planned), '{"count":4,"longest":300}');
  for (const one of backend.algorithms) {
    const answer = await engine.supports({ samples: 1000, segments: how, algorithm: one.slug });
    check.same(`${one.slug} and segments`, typeof answer, one.segments === true ? "object" : "string");
  }
}
