import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Engine,
  fileSamples,
  type Histogram,
  integer,
  openEngine,
  type SampleType,
} from "@polybin/core";
import { limits, lower, planOrReason } from "@polybin/core/backend";
import { native } from "@polybin/native";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { kernels } from "../src/kernels/index.ts";
import { deviceLimits, loaded } from "../src/platform/index.ts";
import { nativeExtent, nativeJob } from "../src/run/prepare.ts";

const probe = await native().probe();
const missing = probe.available ? null : probe.reason;
beforeEach((context) => {
  if (missing !== null) context.skip(missing);
});

/** More than all threads read at a time, and no multiple of it. */
const BYTES = 3_000_003;
const bytes = Uint8Array.from({ length: BYTES + 8 }, (_, i) => (i * 2_654_435_761) >>> 13);

let folder: string;
let path: string;
let engines: Engine[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "polybin-native-"));
  path = join(folder, "bytes");
  writeFileSync(path, bytes);
  if (missing === null) {
    engines = await Promise.all([1, 2, 7].map((threads) => openEngine({ backend: native({ threads }) })));
  }
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(folder, { recursive: true });
});

const TYPES = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

const numbersOf = (of: Histogram) => [...of.counts, ...of.edges, of.underflow, of.overflow, of.nan];

test.for(Object.keys(TYPES) as (keyof typeof TYPES)[])(
  "a file of %s, one channel or three, has the counts of the same memory",
  async (type) => {
    const size = TYPES[type].BYTES_PER_ELEMENT;
    for (const [channels, offset] of [
      [1, 5],
      [3, 0],
    ] as const) {
      const length = BYTES - (BYTES % (3 * size));
      const file = fileSamples({ path, bytes: length, offset, type: type as SampleType, channels });
      const data = new TYPES[type](bytes.slice(offset, offset + length).buffer);
      for (const engine of engines) {
        if (channels === 1) expect(await engine.extent(file)).toEqual(await engine.extent({ data }));
        const range = type.startsWith("f") ? ([-1e30, 1e30] as const) : "data";
        for (const options of [{ bins: 10, range }, { axis: integer(-3, 300) }] as const) {
          const found = await engine.histograms(file, options);
          expect(found.map(numbersOf)).toEqual(
            (await engine.histograms({ data, channels }, options)).map(numbersOf),
          );
        }
      }
    }
  },
);

test("many files are counted at the same time", async () => {
  const file = fileSamples({ path, bytes: BYTES });
  const sums = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => (await engines[i % 3]!.histogram(file)).sum()),
  );
  expect(sums).toEqual(Array(40).fill(BYTES));
});

test("a count stops when its signal aborts, and the engine counts afterwards", async () => {
  const file = fileSamples({ path, bytes: BYTES });
  for (const engine of engines) {
    const abort = new AbortController();
    const counting = engine.histogram(file, { signal: abort.signal });
    setImmediate(() => abort.abort("enough"));
    const end = await counting.then(
      (of) => of.sum(),
      (reason) => reason,
    );
    expect(["enough", BYTES]).toContain(end);
    expect((await engine.histogram(file)).sum()).toBe(BYTES);
  }
});

/** Reads an open file without the checks of a call. */
function extentOf(descriptor: number, pixels: number, threads: number): Promise<unknown> {
  const { Counter } = loaded();
  const finder = new Counter(...nativeExtent({ type: "u8", channels: 1 }, [0], threads));
  return finder.extentFile(descriptor, 0, pixels, new Float64Array(2), null);
}

test.for([1, 2, 7])("a file that is cut while %i threads read it is an error", async (threads) => {
  const cut = join(folder, `cut-${threads}`);
  writeFileSync(cut, bytes);
  const descriptor = openSync(cut, "r");
  await extentOf(descriptor, BYTES, threads);
  truncateSync(cut, 1_000_000);
  await expect(extentOf(descriptor, BYTES, threads)).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: "expected the bytes of all samples but the file ends before them",
  });
  closeSync(descriptor);
  await expect(extentOf(descriptor, BYTES, threads)).rejects.toThrow("cannot read the file: ");
  expect((await engines[1]!.histogram(fileSamples({ path, bytes: BYTES }))).sum()).toBe(BYTES);
});

/** Counts bytes of an open file without the checks of a call. */
function countOf(descriptor: number, pixels: number, threads: number): Promise<unknown> {
  const { Counter } = loaded();
  const axis = integer(0, limits.BYTE_VALUES);
  const lowering = lower(axis, "u8");
  if (lowering.kind === "constant") throw new Error("expected bins");
  const plan = planOrReason(
    { algorithm: "per-lane", column: { type: "u8", lowering }, samples: pixels, channels: 1 },
    deviceLimits(threads),
    kernels.map(({ algorithm }) => algorithm),
  );
  if (typeof plan === "string") throw new Error(plan);
  const job = { kind: "channels", type: "u8", interleaved: 1, channels: [0], axis, lowering, plan } as const;
  const counter = new Counter(...nativeJob(job, threads).packed);
  return counter.countFile(descriptor, 0, pixels, new Float64Array(limits.BYTE_VALUES), null);
}

test.for([1, 2, 7])(
  "the counts before the end of a file that was cut are nobody else's: %i threads",
  async (threads) => {
    const cut = join(folder, `counted-${threads}`);
    writeFileSync(cut, bytes.subarray(0, 2_500_000));
    const descriptor = openSync(cut, "r");
    for (let i = 0; i < 4; i++) {
      await expect(countOf(descriptor, BYTES, threads)).rejects.toMatchObject({ code: "ERR_INPUT" });
      // All threads take part, those that failed among them.
      for (const engine of engines) {
        expect((await engine.histogram(bytes, { bins: 100, range: [0, 256] })).sum()).toBe(bytes.length);
      }
    }
    closeSync(descriptor);
  },
);

test("memory is counted as before after a file, and a file after memory", async () => {
  const file = fileSamples({ path, bytes: BYTES });
  const data = bytes.subarray(0, BYTES);
  for (const engine of engines) {
    const expected = numbersOf(await engine.histogram(data));
    for (const input of [file, data, file])
      expect(numbersOf(await engine.histogram(input))).toEqual(expected);
  }
});
