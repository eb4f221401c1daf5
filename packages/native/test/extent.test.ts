import { type Axis, cpu, type Engine, openEngine } from "@polybin/core";
import { native } from "@polybin/native";
import { afterAll, beforeAll, expect, test } from "vitest";

const probe = await native().probe();
const missing = probe.available ? null : probe.reason;

/** More samples than the calling thread looks at itself, and a length that fills no vector. */
const MANY = 200_003;
const TYPES = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
] as const;

let engines: Engine[] = [];
let oracle: Engine;
beforeAll(async () => {
  oracle = await openEngine({ backend: cpu() });
  if (missing !== null) return;
  engines = await Promise.all([1, 2, 7].map((threads) => openEngine({ backend: native({ threads }) })));
});
afterAll(() => Promise.all([oracle, ...engines].map((engine) => engine.close())));

const rangeOf = ({ axis }: { readonly axis: Axis }) => {
  const { lo, hi } = axis as Extract<Axis, { type: "regular" }>;
  return [lo, hi];
};

/** Compares the range of the data, and the counts over it, with core's. */
async function check(input: Parameters<Engine["histograms"]>[0]): Promise<void> {
  const options = { bins: 10, range: "data", channels: "all" } as const;
  const expected = await oracle.histograms(input, options as never);
  for (const engine of engines) {
    const found = await engine.histograms(input, options as never);
    expect(found.map(rangeOf)).toEqual(expected.map(rangeOf));
    expect(found.map(({ counts }) => [...counts])).toEqual(expected.map(({ counts }) => [...counts]));
  }
}

test.for(TYPES.map((of) => [of.name, of] as const))("the range of %s", async ([, Type], context) => {
  if (missing !== null) return context.skip(missing);
  const data = new Type(MANY);
  for (let i = 0; i < MANY; i++) data[i] = ((i * 2_654_435_761) % 4_000_000_007) / 3 - 5e8;
  await check(data);
  // The ends lie in the last samples, and in a view that is not aligned to vectors.
  data[MANY - 1] = -100;
  data[MANY - 2] = 100;
  await check(data.subarray(1));
});

test.for([Float32Array, Float64Array].map((of) => [of.name, of] as const))(
  "%s: only finite samples have a range",
  async ([, Type], context) => {
    if (missing !== null) return context.skip(missing);
    const data = new Type(MANY).fill(Number.NaN);
    data[5] = Number.POSITIVE_INFINITY;
    data[MANY - 1] = Number.NEGATIVE_INFINITY;
    await check(data);
    data[MANY - 3] = -0;
    await check(data);
    data[MANY >> 1] = Type === Float32Array ? 1e-42 : 1e-320;
    await check(data);
    data[7] = Type === Float32Array ? 1.6e38 : 8e307;
    data[9] = -data[7]!;
    await check(data);
  },
);

test("the range of channels with a row pitch", async (context) => {
  if (missing !== null) return context.skip(missing);
  const [width, height, channels, pitch] = [301, 200, 3, 301 * 3 * 4 + 20];
  const bytes = new Uint8Array(height * pitch).fill(0x7f);
  for (let y = 0; y < height; y++) {
    const row = new Float32Array(bytes.buffer, y * pitch, width * channels);
    for (let i = 0; i < row.length; i++) row[i] = Math.sin(i * y) * (1 + (i % 3));
  }
  await check({ data: bytes, type: "f32", channels, width, height, rowPitch: pitch } as never);
});

test("a call that is aborted while it looks for the range", async (context) => {
  if (missing !== null) return context.skip(missing);
  const controller = new AbortController();
  const data = new Float64Array(8_000_000);
  const counting = engines[0]!.histogram(data, { bins: 10, range: "data", signal: controller.signal });
  controller.abort();
  await expect(counting).rejects.toThrow(/abort/);
  expect((await engines[0]!.histogram(data, { bins: 10, range: "data" })).counts[5]).toBe(8_000_000);
});
