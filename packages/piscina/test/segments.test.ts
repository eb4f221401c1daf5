import { readFileSync } from "node:fs";
import { cpu, type Engine, integer, openEngine, regular, type SampleType } from "@polybin/core";
import {
  limits,
  lower,
  plan,
  type RunOptions,
  type Segments,
  type SegmentsJob,
  samples,
} from "@polybin/core/backend";
import { piscina } from "@polybin/piscina";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newControl } from "../src/counting/control.ts";
import { countSegments } from "../src/counting/segments.ts";
import { eachStep } from "../src/counting/steps.ts";
import type { Answer, SegmentsTask } from "../src/counting/task.ts";
import { rowOf } from "../src/input/index.ts";
import { deviceLimits, instantiate, type Wasm } from "../src/platform/index.ts";
import { BeltMemories } from "../src/run/dispatch/memories.ts";
import { type Pool, prepareSegments } from "../src/run/index.ts";

const module = new WebAssembly.Module(readFileSync(new URL("../dist/kernels.wasm", import.meta.url)));
const axis = integer(0, 256);
const N = 400_003;
const bytes = new Uint8Array(N).map((_, i) => (i * 2_654_435_761) >>> 24);
const every: Segments = { kind: "every", every: 90_000, count: 5, longest: 90_000, pixels: N };

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine({ backend: piscina({ threads: 2 }) });
});
afterEach(() => engine.close());

function jobOf(type: SampleType, on: SegmentsJob["axis"], segments: Segments): SegmentsJob {
  const lowering = lower(on, type);
  const request = { column: { type, lowering }, samples: segments.pixels, channels: 1, segments };
  return {
    kind: "segments",
    type,
    interleaved: 1,
    channels: [0],
    axis: on,
    lowering,
    plan: plan({ ...request, algorithm: "per-segment" }, deviceLimits(2)),
  };
}

/** Counts a whole job on one worker in this thread, in windows of `pixels` pixels. */
function taskOf(
  job: SegmentsJob,
  segments: Segments,
  windowPixels: number,
  rows: SegmentsTask["rows"],
): SegmentsTask {
  const shared = new Uint8Array(new SharedArrayBuffer(N));
  shared.set(bytes);
  return {
    kind: "segments",
    at: {
      source: { kind: "memory", geometry: rowOf(N, 1), bytes: shared, visible: null },
      order: segments,
    },
    steps: { kind: "shared", from: 0, to: N, pixels: windowPixels, control: newControl() },
    work: { plan: job.plan, interleaved: 1, channels: [0], lowering: job.lowering, setup: null },
    segments,
    rows,
  };
}

async function truth(on: SegmentsJob["axis"]): Promise<number[]> {
  await using oracle = await openEngine({ backend: cpu() });
  const found = await oracle.segments(bytes, { every: 90_000 }, { axis: on });
  return [...found.counts, ...found.underflow, ...found.overflow];
}

it.each([axis, integer(20, 90), regular(7, 3, 99.5)])(
  "adds up in 32 and in 64 bits what windows cut: %j",
  async (on) => {
    const job = jobOf("u8", on, every);
    for (const Words of [Uint32Array, BigUint64Array]) {
      for (const windowPixels of [limits.BYTE_VALUES, 65_536, 131_072, 300_000]) {
        const numbers = (length: number) =>
          new (Words as new (memory: SharedArrayBuffer) => Uint32Array | BigUint64Array)(
            new SharedArrayBuffer(length * Words.BYTES_PER_ELEMENT),
          );
        const rows = { counts: numbers(5 * on.bins), flow: numbers(5 * 3) };
        const wasm = instantiate(module);
        expect(countSegments(taskOf(job, every, windowPixels, rows), wasm)).toBe(null);
        const flow = Array.from(rows.flow, Number);
        const kinds = [0, 1].flatMap((kind) => flow.filter((_, i) => i % 3 === kind));
        expect([...Array.from(rows.counts, Number), ...kinds]).toEqual(await truth(on));
      }
    }
  },
);

it("reports a row with another number of samples than its segment, and the call fails", async () => {
  const job = jobOf("u8", axis, every);
  const rows = { counts: new Uint32Array(new SharedArrayBuffer(4 * 5 * 256)), flow: null };
  const wasm = instantiate(module);
  // A kernel that loses a sample.
  const losing = { ...wasm, sum_per_segment: () => 89_999 } as unknown as Wasm;
  const wrong = countSegments(taskOf(job, every, 2 ** 20, rows), losing);
  expect(wrong).toEqual({ segment: 0, seen: 89_999, pixels: 90_000 });
  const pool = {
    threads: 1,
    idle: 0,
    workersFor: () => 0,
    belts: new BeltMemories(1),
    begin: () => () => false,
    // A calling thread that takes everything, and counts nothing.
    here: {
      run({ steps }: SegmentsTask): Answer {
        eachStep(steps, () => {});
        return { kind: "segments", wrong };
      },
    },
  } as unknown as Pool;
  const shared = samples({ data: new Uint8Array(new SharedArrayBuffer(N)) });
  const options: RunOptions = {};
  for (const of of [shared, samples({ data: bytes })]) {
    const counting = prepareSegments(pool, job).count(
      { input: { kind: "samples", samples: of }, segments: every },
      options,
    );
    await expect(counting).rejects.toMatchObject({ code: "ERR_MISCOUNT", algorithm: "per-segment" });
  }
});

it("counts segments of 2^32 samples or more as doubles", async () => {
  const long: Segments = { kind: "every", every: 2 ** 33, count: 1, longest: 2 ** 33, pixels: 2 ** 33 };
  const job = jobOf("u8", axis, long);
  // A fake pool that finds slightly more than 2^32 samples of one value, as many windows would.
  const pool = {
    threads: 1,
    idle: 0,
    workersFor: () => 0,
    begin: () => () => false,
    here: {
      run({ steps, rows }: SegmentsTask): Answer {
        eachStep(steps, () => {});
        (rows.counts as BigUint64Array)[3] = 2n ** 32n + 5n;
        return { kind: "segments", wrong: null };
      },
    },
  } as unknown as Pool;
  const { bytes: _, ...shape } = samples({ data: new Uint8Array(new SharedArrayBuffer(8)) });
  const input = {
    kind: "samples",
    samples: { ...shape, bytes: new Uint8Array(new SharedArrayBuffer(8)) },
  } as const;
  const { counts } = await prepareSegments(pool, job).count({ input, segments: long }, {});
  expect(counts).toBeInstanceOf(Float64Array);
  expect(counts[3]).toBe(2 ** 32 + 5);
});

it("gives an error and no counts when memory is taken away while it is copied", async () => {
  for (const take of [(of: ArrayBuffer) => of.resize(10), (of: ArrayBuffer) => void of.transfer()]) {
    const data = new ArrayBuffer(2 ** 24, { maxByteLength: 2 ** 24 });
    let left = 1;
    const onProgress = () => left-- === 1 && take(data);
    const counting = engine.segments(data, { every: 4096 }, { onProgress });
    await expect(counting).rejects.toMatchObject({ code: "ERR_INPUT", backend: "piscina" });
  }
  expect((await engine.segments(bytes, { every: N })).at(0).sum()).toBe(N);
});

it("writes to shared memory in place and clears its old content", async () => {
  const shared = new Uint8Array(new SharedArrayBuffer(N));
  shared.set(bytes);
  const into = new Uint32Array(new SharedArrayBuffer(4 * 5 * 256)).fill(9);
  const want = [...(await engine.segments(bytes, { every: 90_000 })).counts];
  for (const input of [shared, bytes]) {
    const found = await engine.segments(input, { every: 90_000 }, { into });
    expect(found.counts).toBe(into);
    expect([...into]).toEqual(want);
  }
});
