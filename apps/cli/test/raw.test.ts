import { expect, test } from "vitest";
import { emptyWarning, file, hist, noise, polybin, tally } from "./command.ts";

const SIZES = [0, 1, 3, 4097, 1_000_003];
const ON = [[], ["--backend", "piscina"], ["--backend", "piscina", "--threads", "3"]];

test.for(SIZES)("%i bytes, from a file and from a pipe, on every backend", async (size) => {
  const bytes = noise(size);
  const path = file("bytes", bytes);
  const warning = (name: string) => (size === 0 ? emptyWarning(name) : "");
  for (const on of ON) {
    const found = await hist([path, ...on], undefined, warning("bytes"));
    expect(found.channels).toEqual([
      { name: "values", counts: tally(bytes, 256), underflow: 0, overflow: 0, nan: 0 },
    ]);
    expect(found.input).toEqual({
      name: "bytes",
      kind: "raw",
      type: "u8",
      samples: size,
      width: null,
      height: null,
    });
    const piped = await hist(["-", ...on], bytes, warning("standard input"));
    expect(piped.channels).toEqual(found.channels);
    expect(piped.input).toMatchObject({ name: "-", kind: "raw", samples: size });
    for (const { plan } of [found, piped]) expect(plan.samples).toBe(size);
  }
});

const ARRAYS = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
type Type = keyof typeof ARRAYS;

/** Values of a type with all that is awkward about it. */
function valuesOf(type: Type, count: number): InstanceType<(typeof ARRAYS)[Type]> {
  const random = noise(count * 8, 7);
  const values = new ARRAYS[type](
    random.slice(0, count * ARRAYS[type].BYTES_PER_ELEMENT).buffer as ArrayBuffer,
  );
  if (values instanceof Float32Array || values instanceof Float64Array) {
    for (let i = 0; i < count; i++) values[i] = (random[i]! - 60) / 7 + random[count + i]! / 911;
    values.set([NaN, Infinity, -Infinity, -0, 0, 1e-40, 2, 4, -4], 1);
  }
  return values;
}

/** Counts one by one, as the definition says. */
function naive(values: Iterable<number>, edges: readonly number[], closed: boolean) {
  const bins = edges.length - 1;
  const found = {
    name: "values",
    counts: new Array<number>(bins).fill(0),
    underflow: 0,
    overflow: 0,
    nan: 0,
  };
  for (const value of values) {
    if (Number.isNaN(value)) found.nan += 1;
    else if (value < edges[0]!) found.underflow += 1;
    else if (closed && value === edges[bins]) found.counts[bins - 1]! += 1;
    else if (value >= edges[bins]!) found.overflow += 1;
    else found.counts[edges.findLastIndex((edge) => edge <= value)]! += 1;
  }
  return found;
}

function spaced(lo: number, hi: number, bins: number, type: Type): number[] {
  const edges = Array.from({ length: bins + 1 }, (_, i) => (i === bins ? hi : lo + i * ((hi - lo) / bins)));
  return type === "f32" ? edges.map(Math.fround) : edges;
}

test.for(Object.keys(ARRAYS) as Type[])(
  "--type %s, over a range, over edges, over its own range",
  async (type) => {
    const values = valuesOf(type, 4097);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const path = file("values", bytes);
    const { BYTES_PER_ELEMENT: size } = ARRAYS[type];
    for (const on of ON.slice(0, 2)) {
      const ranged = await hist([path, "--type", type, "--bins", "7", "--range", "-3,4", ...on]);
      expect(ranged.channels).toEqual([naive(values, spaced(-3, 4, 7, type), true)]);
      expect(ranged.axis).toEqual({ type: "regular", bins: 7, edges: spaced(-3, 4, 7, type) });
      expect(ranged.input).toMatchObject({ type, samples: 4097 });

      const edged = await hist([path, "--type", type, "--edges=-4,0,2,100", ...on]);
      expect(edged.channels).toEqual([naive(values, [-4, 0, 2, 100], true)]);
      expect(edged.axis).toEqual({ type: "variable", bins: 3, edges: [-4, 0, 2, 100] });

      const finite = [...values].filter(Number.isFinite);
      const lo = type.startsWith("u") ? 0 : -(2 ** (8 * size - 1));
      const ends = {
        data: [Math.min(...finite), Math.max(...finite)],
        type: [lo, lo + 2 ** (8 * size)],
      } as const;
      for (const range of [null, "data", "type"] as const) {
        if (range === "type" && type.startsWith("f")) continue;
        const args = range === null ? [] : ["--range", range];
        const own = await hist([path, "--type", type, ...args, ...on]);
        const [first, last] = ends[range ?? (size <= 2 ? "type" : "data")];
        expect(own.axis.edges).toHaveLength(257);
        expect([own.axis.edges[0], own.axis.edges[256]]).toEqual([first, last]);
        if (!type.startsWith("f")) expect(own.axis.edges).toEqual(spaced(first, last, 256, type));
        expect(own.channels).toEqual([naive(values, own.axis.edges, own.axis.type !== "integer")]);
        const piped = await hist(["-", "--type", type, ...args, ...on], bytes);
        expect(piped.channels).toEqual(own.channels);
        expect(piped.axis).toEqual(own.axis);
      }
    }
  },
);

test("floats that are all equal, none finite, or not there", async () => {
  const f64 = (...values: number[]) => file("f64", new Uint8Array(Float64Array.from(values).buffer));
  const equal = await hist([f64(3, 3), "--type", "f64", "--bins", "2"]);
  expect(equal.axis.edges).toEqual([2.5, 3, 3.5]);
  expect(equal.channels[0]!.counts).toEqual([0, 2]);
  const none = await hist([f64(NaN, Infinity), "--type", "f64", "--bins", "1"]);
  expect(none).toMatchObject({ axis: { edges: [0, 1] }, channels: [{ counts: [0], overflow: 1, nan: 1 }] });
  const empty = await hist([f64(), "--type", "f64", "--bins", "1"], undefined, emptyWarning("f64"));
  expect(empty).toMatchObject({ axis: { edges: [0, 1] }, channels: [{ counts: [0] }] });
});

test("every algorithm that a backend has counts the same", async () => {
  const bytes = noise(70_001);
  const path = file("bytes", bytes);
  const listed = JSON.parse((await polybin(["backends", "--json"])).stdout) as {
    id: string;
    available: boolean;
    algorithms: string[];
  }[];
  const here = listed.filter(({ available }) => available);
  expect(here.map(({ id }) => id)).toEqual(expect.arrayContaining(["cpu", "piscina"]));
  for (const { id, algorithms } of here) {
    for (const algorithm of algorithms) {
      const bins = algorithm === "per-thread-64" ? 64 : 256;
      const found = await hist([path, "--bins", `${bins}`, "--backend", id, "--algorithm", algorithm]);
      expect(found).toMatchObject({ backend: id, algorithm });
      const wanted = tally(
        bytes.map((value) => (value * bins) >> 8),
        bins,
      );
      expect(found.channels[0]!.counts).toEqual(wanted);
    }
  }
});

test("--raw counts the bytes of a picture, also as other values", async () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), noise(100)]);
  const path = file("x.png", png);
  expect((await hist([path, "--raw"])).channels[0]!.counts).toEqual(tally(png, 256));
  expect((await hist([path, "--raw", "--type", "u16"])).input).toMatchObject({
    kind: "raw",
    type: "u16",
    samples: 54,
  });
});

test("--k reaches trish", async () => {
  const bytes = noise(5000);
  for (const backend of ["cpu", "piscina"]) {
    const found = await hist([file("b", bytes), "--backend", backend, "--algorithm", "trish", "--k", "5"]);
    expect(found).toMatchObject({ plan: { parameters: { k: 5 } } });
    expect(found.channels[0]!.counts).toEqual(tally(bytes, 256));
  }
});
