import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { extentOf, joinExtents, NO_EXTENT } from "../src/input/extent.ts";
import { fileSamples, isFileInput } from "../src/input/file.ts";
import { arrayOver, bitsOf, SAMPLE_TRAITS, SAMPLE_TYPES } from "../src/input/sample-types.ts";
import { isSamplesInit, runs, type SamplesInit, samples } from "../src/input/samples.ts";
import { arrayOf, expectError } from "./helpers.ts";

/** Every sample that the runs deliver. */
function all(of: ReturnType<typeof samples>, most = 1000): number[] {
  return [...runs(of, most)].flatMap((run) => Array.from<number>(run));
}

describe("forms of input", () => {
  it.each(SAMPLE_TYPES)("a typed array of %s is its own type, in place", (type) => {
    const array = arrayOf(type, [1, 2, 3]);
    const of = samples(array);
    const bytes = 3 * SAMPLE_TRAITS[type].bytes;
    expect(of).toMatchObject({
      type,
      channels: 1,
      width: 3,
      height: 1,
      pixels: 3,
      dense: true,
      rowPitch: bytes,
    });
    expect(of.bytes.buffer).toBe(array.buffer);
    expect(all(of)).toEqual([1, 2, 3]);
    expect(Object.isFrozen(of)).toBe(true);
  });

  it("bytes are u8 by default, from any kind of buffer", () => {
    const bytes = Uint8Array.of(1, 0, 2, 0);
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    shared.set(bytes);
    const view = new DataView(bytes.buffer);
    for (const data of [bytes, bytes.buffer, shared.buffer, shared, view, new Uint8ClampedArray(bytes)]) {
      expect(samples(data).type).toBe("u8");
      expect(all(samples(data))).toEqual([1, 0, 2, 0]);
      expect(all(samples({ data, type: "u16" }))).toEqual([1, 2]);
      expect(all(samples({ data, type: "u32" }))).toEqual([131_073]);
    }
  });

  it("a view of a larger buffer is only that part", () => {
    const bytes = Uint8Array.from({ length: 12 }, (_, i) => i);
    expect(all(samples(bytes.subarray(3, 5)))).toEqual([3, 4]);
    expect(all(samples({ data: bytes.subarray(1, 5), type: "u16" }))).toEqual([0x0201, 0x0403]);
    expect(all(samples(new DataView(bytes.buffer, 2, 3)))).toEqual([2, 3, 4]);
    expect(all(samples(new Uint16Array(bytes.buffer, 4, 1)))).toEqual([0x0504]);
  });

  it("an array of numbers is f64", () => {
    expect(samples([1, Number.NaN, -0]).type).toBe("f64");
    expect(all(samples([1, Number.NaN, -0]))).toEqual([1, Number.NaN, -0]);
    expect(samples({ data: [1], type: "f64" }).type).toBe("f64");
    expect(samples([]).pixels).toBe(0);
  });

  it("recognizes descriptions of samples", () => {
    expect(isSamplesInit({ data: [] })).toBe(true);
    for (const value of [null, undefined, 5, "data", [], new Uint8Array(1), {}]) {
      expect(isSamplesInit(value)).toBe(false);
    }
  });

  it.each([
    [5, "a typed array, a buffer or an array of numbers for samples", "5 of type number"],
    [null, "for samples", "null"],
    [undefined, "for samples", "undefined"],
    ["bytes", "for samples", '"bytes" of type string'],
    [{}, "for samples", "Object"],
    [{ data: "x" }, "for samples", '"x"'],
    [new Map(), "for samples", "Map"],
    [() => {}, "for samples", "a value of type function"],
    [Object.create(null), "for samples", "an object of type object"],
    ["x".repeat(99), "for samples", `${"x".repeat(60)}…`],
    [[1, "2"], "a number for samples[1]", '"2" of type string'],
    [new Array(2), "a number for samples[0]", "undefined"],
    [{ data: [1], type: "f32" }, "a typed array for samples of type f32", "an array of numbers"],
    [{ data: new Uint8Array(8), type: "f8" }, "one of u8, i8, u16", '"f8"'],
    [{ data: new Uint8Array(8), type: null }, "for type", "null"],
    [{ data: new Uint16Array(4), type: "f32" }, "expected type u16", "received f32"],
    [{ data: new Int8Array(4), type: "u8" }, "expected type i8", "received u8"],
    [{ data: new BigUint64Array(1), type: "f64" }, "expected type u64", "received f64"],
    [{ data: new BigInt64Array(1), type: "u64" }, "expected type i64", "received u64"],
  ])("wrong input %# is refused", (input, what, received) => {
    expectError(() => samples(input as SamplesInit), "ERR_INPUT", what, received);
  });

  it("bytes that are not whole samples are refused", () => {
    expectError(
      () => samples({ data: new Uint8Array(3), type: "f64" }),
      "ERR_INPUT",
      "8 bytes each",
      "3 bytes",
    );
    expectError(
      () => samples({ data: new Uint8Array(4), channels: 3 }),
      "ERR_INPUT",
      "3 u8 samples",
      "4 bytes",
    );
    expectError(() => samples({ data: new Float32Array(4), channels: 3 }), "ERR_INPUT", "12 bytes each");
  });
});

describe("rows", () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => i);

  it("are as many as the data holds", () => {
    expect(samples({ data: bytes, width: 8 })).toMatchObject({
      width: 8,
      height: 5,
      pixels: 40,
      dense: true,
    });
    expect(samples({ data: bytes, width: 5, channels: 4 })).toMatchObject({ height: 2, pixels: 10 });
    expect(samples({ data: bytes, width: 10, type: "u16" })).toMatchObject({ height: 2, rowPitch: 20 });
  });

  it("may have padding, with or without it after the last row", () => {
    const padded = samples({ data: bytes, width: 6, rowPitch: 10 });
    expect(padded).toMatchObject({ height: 4, pixels: 24, dense: false, rowPitch: 10 });
    const short = samples({ data: bytes.subarray(0, 36), width: 6, rowPitch: 10 });
    expect(short).toMatchObject({ height: 4, pixels: 24 });
    const right = [0, 10, 20, 30].flatMap((row) => [0, 1, 2, 3, 4, 5].map((x) => row + x));
    for (const of of [padded, short]) {
      expect(all(of)).toEqual(right);
      expect(all(of, 4)).toEqual(right);
      expect([...runs(of, 4)].map((run) => run.length)).toEqual([4, 2, 4, 2, 4, 2, 4, 2]);
    }
  });

  it("may have padding that is not a whole number of samples", () => {
    const data = bytes.subarray(0, 15);
    const of = samples({ data, width: 2, rowPitch: 5, type: "u16", height: 3 });
    expect(all(of)).toEqual([0x0100, 0x0302, 0x0605, 0x0807, 0x0b0a, 0x0d0c]);
  });

  it("may be followed by the padding of the last row, but by nothing else", () => {
    for (const length of [12, 13, 14]) {
      const data = bytes.subarray(0, length);
      expect(all(samples({ data, width: 5, height: 2, rowPitch: 7 }))).toEqual([
        0, 1, 2, 3, 4, 7, 8, 9, 10, 11,
      ]);
    }
    for (const length of [11, 15]) {
      expectError(
        () => samples({ data: bytes.subarray(0, length), width: 5, height: 2, rowPitch: 7 }),
        "ERR_INPUT",
        `12 to 14 bytes for 2 rows of 5 u8 samples but received ${length}`,
      );
    }
    expectError(() => samples({ data: bytes, width: 4, height: 2 }), "ERR_INPUT", "8 bytes", "received 40");
    expectError(() => samples({ data: bytes, width: 4, height: 0 }), "ERR_INPUT", "0 bytes", "received 40");
  });

  it("of an ImageData have four channels, own properties or inherited", () => {
    const data = new Uint8ClampedArray(16);
    class ImageData {
      get data() {
        return data;
      }
      get width() {
        return 2;
      }
      get height() {
        return 2;
      }
      get colorSpace() {
        return "srgb";
      }
    }
    const own = { data, width: 2, height: 2, colorSpace: "srgb", pixelFormat: "rgba-unorm8" };
    for (const image of [new ImageData(), own])
      expect(samples(image)).toMatchObject({ channels: 4, pixels: 4 });
    expect(samples({ data, width: 8, height: 2 }).channels).toBe(1);
    expect(samples({ data, width: 2, height: 2, channels: 4 }).channels).toBe(4);
    expectError(() => samples({ data, width: 2, height: 2, channels: 1 }), "ERR_INPUT", "4 bytes", "16");
    expectError(
      () => samples({ data: new Uint8Array(16), width: 2, height: 2 }),
      "ERR_INPUT",
      "4 bytes",
      "16",
    );
  });

  it("are dense if there is only one, whatever the pitch", () => {
    expect(samples({ data: bytes, width: 4, height: 1, rowPitch: 40 }).dense).toBe(true);
  });

  it("may be empty", () => {
    expect(samples({ data: new Uint8Array(0), width: 0 })).toMatchObject({ height: 0, pixels: 0 });
    expect(samples({ data: new Uint8Array(0), width: 7 })).toMatchObject({ height: 0, pixels: 0 });
    expect(samples({ data: new Uint8Array(0), width: 0, height: 3 }).pixels).toBe(0);
    expect(all(samples({ data: bytes.subarray(0, 12), width: 0, height: 3, rowPitch: 4 }))).toEqual([]);
  });

  it.each([
    [{ height: 2 }, "width with height, rowPitch or region"],
    [{ rowPitch: 2 }, "width with"],
    [{ region: { x: 0, y: 0, width: 1, height: 1 } }, "width with"],
    [{ width: -1 }, "a whole number of at least 0 for width"],
    [{ width: 1.5 }, "for width"],
    [{ width: "4" }, '"4" of type string'],
    [{ width: 8, height: 6 }, "48 bytes for 6 rows of 8 u8 samples but received 40"],
    [{ width: 8, height: Number.NaN }, "for height"],
    [{ width: 8, rowPitch: 7 }, "a whole number of at least 8 for rowPitch"],
    [{ width: 7 }, "expected 35 bytes for 5 rows of 7 u8 samples but received 40"],
    [{ width: 6, rowPitch: 11 }, "of 6 u8 samples but received 40"],
    [{ width: 41 }, "0 rows of 41"],
    [{ width: 0 }, "for 0 rows"],
    [{ width: 2 ** 53 - 1, channels: 2 }, "for rowPitch"],
    [{ width: 4, channels: 0 }, "from 1 to 4 for channels"],
    [{ width: 4, channels: 1.5 }, "for channels"],
    [{ width: 3, channels: 4 }, "3 rows of 3 pixels of 4 u8 samples"],
    [{ width: 8, region: { x: 0, y: 0, width: 9, height: 1 } }, "from 0 to 8 for region.width"],
    [{ width: 8, region: { x: 3, y: 0, width: 6, height: 1 } }, "from 0 to 5 for region.width"],
    [{ width: 8, region: { x: 9, y: 0, width: 0, height: 1 } }, "from 0 to 8 for region.x"],
    [{ width: 8, region: { x: 0, y: 1, width: 1, height: 5 } }, "from 0 to 4 for region.height"],
    [{ width: 8, region: { x: 0, y: -1, width: 1, height: 1 } }, "for region.y"],
    [{ width: 8, region: {} }, "for region.x"],
    [{ width: 8, region: 5 }, "an object for region"],
    [{ width: 8, region: { x: 0, y: 0, width: 1, heigth: 1 } }, "did you mean height? received heigth"],
    [{ width: 5, height: 2 }, "but received 40; did you mean channels: 4?"],
    [{ width: 5, height: 4 }, "but received 40; did you mean channels: 2?"],
  ])("wrong rows %# are refused", (rest, what) => {
    expectError(() => samples({ data: bytes, ...rest } as SamplesInit), "ERR_INPUT", what);
  });
});

describe("a region", () => {
  // Pixel (x, y) of 8 x 5 holds 8 y + x.
  const data = Uint8Array.from({ length: 40 }, (_, i) => i);

  it("is only its pixels", () => {
    const of = samples({ data, width: 8, region: { x: 2, y: 1, width: 3, height: 2 } });
    expect(of).toMatchObject({ width: 3, height: 2, pixels: 6, dense: false, rowPitch: 8 });
    expect(of.bytes).toHaveLength(8 + 3);
    expect(all(of)).toEqual([10, 11, 12, 18, 19, 20]);
  });

  it("of whole rows is dense", () => {
    const of = samples({ data, width: 8, region: { x: 0, y: 3, width: 8, height: 2 } });
    expect(of.dense).toBe(true);
    expect(all(of)).toEqual([...data.subarray(24)]);
  });

  it("may touch every side, and be empty", () => {
    expect(all(samples({ data, width: 8, region: { x: 7, y: 4, width: 1, height: 1 } }))).toEqual([39]);
    expect(all(samples({ data, width: 8, region: { x: 7, y: 0, width: 1, height: 5 } }))).toEqual([
      7, 15, 23, 31, 39,
    ]);
    for (const region of [
      { x: 8, y: 0, width: 0, height: 5 },
      { x: 0, y: 5, width: 8, height: 0 },
    ]) {
      const of = samples({ data, width: 8, region });
      expect(of.pixels).toBe(0);
      expect(of.bytes).toHaveLength(0);
      expect(all(of)).toEqual([]);
    }
  });

  it("is in pixels, not in samples", () => {
    const of = samples({
      data,
      type: "u16",
      channels: 2,
      width: 5,
      region: { x: 1, y: 1, width: 1, height: 1 },
    });
    expect(all(of)).toEqual([0x1918, 0x1b1a]);
  });

  it("that is null counts as none", () => {
    expect(samples({ data, width: 8, region: null as never }).pixels).toBe(40);
  });
});

describe("memory", () => {
  it("that is unaligned is copied, and only then", () => {
    for (const type of SAMPLE_TYPES) {
      const size = SAMPLE_TRAITS[type].bytes;
      const right = arrayOf(type, [1, 2, 3]);
      const moved = new Uint8Array(3 * size + 8);
      for (let at = 0; at < 8; at++) {
        const bytes = moved.subarray(at, at + 3 * size);
        bytes.set(new Uint8Array(right.buffer));
        const array = arrayOver(type, bytes);
        expect(Array.from<number>(array)).toEqual([1, 2, 3]);
        expect(array.buffer === moved.buffer).toBe(at % size === 0);
      }
    }
  });

  it("runs of unaligned bytes hold the right values", () => {
    const floats = Float64Array.of(0.5, -1, Number.NaN, Infinity);
    const bytes = new Uint8Array(35);
    bytes.set(new Uint8Array(floats.buffer), 3);
    const of = samples({ data: bytes.subarray(3), type: "f64" });
    for (const most of [1, 2, 3, 100]) expect(all(of, most)).toEqual([...floats]);
  });

  it("is viewed as bits of the same width, f64 as pairs of words", () => {
    expect([...bitsOf(Int8Array.of(-1))]).toEqual([255]);
    expect([...bitsOf(Int16Array.of(-1))]).toEqual([65_535]);
    expect([...bitsOf(Float32Array.of(1))]).toEqual([0x3f80_0000]);
    expect([...bitsOf(new Float64Array([1, -2]).subarray(1))]).toEqual([0, 0xc000_0000]);
    const shared = new Int32Array(new SharedArrayBuffer(8), 4, 1);
    shared[0] = -2;
    expect([...bitsOf(shared)]).toEqual([2 ** 32 - 2]);
  });
});

describe("memory that is gone", () => {
  const resizable = () => new ArrayBuffer(16, { maxByteLength: 32 });
  const views: readonly (readonly [string, (buffer: ArrayBuffer) => Uint8Array | Uint16Array | DataView])[] =
    [
      ["an array", (buffer) => new Uint16Array(buffer, 0, 8)],
      ["the end of an array", (buffer) => new Uint8Array(buffer, 8, 8)],
      ["a DataView", (buffer) => new DataView(buffer, 0, 16)],
    ];

  it.each([...views, ["a buffer", (buffer: ArrayBuffer) => buffer] as const])(
    "is refused: %s",
    (_, viewOf) => {
      const buffer = new ArrayBuffer(16);
      const view = viewOf(buffer);
      structuredClone(buffer, { transfer: [buffer] });
      expectError(() => samples(view), "ERR_INPUT", "memory", "transferred");
    },
  );

  it("has a fixed length, with a new view only if it can be resized", () => {
    const plain = new Uint8Array(4);
    expect(samples(plain).bytes).toBe(plain);
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    expect(samples(shared).bytes).toBe(shared);
    const growing = new Uint8Array(new SharedArrayBuffer(4, { maxByteLength: 8 }));
    const { bytes } = samples(growing);
    (growing.buffer as SharedArrayBuffer & { grow(bytes: number): void }).grow(8);
    expect([growing.length, bytes.length]).toEqual([8, 4]);
    const shrinking = new Uint8Array(resizable());
    const { bytes: before } = samples(shrinking);
    shrinking.buffer.resize(32);
    expect([shrinking.length, before.length]).toEqual([32, 16]);
    const node = Buffer.alloc(4);
    expect(samples(node).bytes).toEqual(new Uint8Array(4));
  });

  it.each(views)("by a resize is refused: %s", (_, viewOf) => {
    const buffer = resizable();
    const view = viewOf(buffer);
    expect(samples(view).bytes.byteLength).toBe(view.byteLength);
    buffer.resize(5);
    expectError(() => samples(view), "ERR_INPUT", "memory", "smaller");
  });

  it("ends runs if it goes away between them", () => {
    for (const bytes of [new Uint8Array(resizable()), resizable()]) {
      const buffer = bytes instanceof ArrayBuffer ? bytes : bytes.buffer;
      const parts = runs(samples(bytes), 4);
      expect(parts.next().value).toHaveLength(4);
      buffer.resize(32);
      expect(parts.next().value).toHaveLength(4);
      buffer.resize(12);
      expectError(() => parts.next(), "ERR_INPUT", "meanwhile");
    }
  });

  it("does not count as gone if it was empty", () => {
    expect(samples(new Uint8Array(resizable(), 16)).pixels).toBe(0);
    expect(samples(new ArrayBuffer(0)).pixels).toBe(0);
  });
});

it("arrays and buffers of another realm are accepted", () => {
  for (const [code, type] of [
    ["Uint8Array.of(1, 2)", "u8"],
    ["Uint8ClampedArray.of(1, 2)", "u8"],
    ["Float32Array.of(1, 2)", "f32"],
    ["[1, 2]", "f64"],
    ["Uint8Array.of(1, 2).buffer", "u8"],
    ["new DataView(new SharedArrayBuffer(2))", "u8"],
    ["new SharedArrayBuffer(2)", "u8"],
  ] as const) {
    expect(samples(runInNewContext(code)), code).toMatchObject({ type, pixels: 2 });
    expect(samples(runInNewContext(`({ data: ${code} })`)), code).toMatchObject({ type, pixels: 2 });
  }
  expect(samples(runInNewContext("new BigInt64Array(2)"))).toMatchObject({ type: "i64", pixels: 2 });
});

describe("extents", () => {
  it("cover finite values, by channel", () => {
    const data = Float64Array.of(Number.NaN, 5, Infinity, -7, -Infinity, 2, 3, 8);
    const of = samples({ data, channels: 2 });
    expect(extentOf(of, [0, 1])).toEqual({ min: -7, max: 8 });
    expect(extentOf(of, [0])).toEqual({ min: 3, max: 3 });
    expect(extentOf(of, [1])).toEqual({ min: -7, max: 8 });
  });

  it("of no finite value are empty", () => {
    expect(extentOf(samples([Number.NaN, Infinity, -Infinity]), [0])).toEqual(NO_EXTENT);
    expect(extentOf(samples([]), [0])).toEqual(NO_EXTENT);
  });

  it("are joined", () => {
    expect(joinExtents({ min: 0, max: 3 }, { min: -1, max: 2 })).toEqual({ min: -1, max: 3 });
    expect(joinExtents(NO_EXTENT, { min: -1, max: 2 })).toEqual({ min: -1, max: 2 });
  });
});

describe("samples in a file", () => {
  it("are described and not opened", () => {
    const file = fileSamples({ path: "/nowhere", bytes: 24, type: "f32", channels: 3, offset: 5 });
    expect(file).toEqual({ kind: "file", path: "/nowhere", offset: 5, type: "f32", channels: 3, pixels: 2 });
    expect(fileSamples({ path: "x", bytes: 0 })).toMatchObject({
      type: "u8",
      channels: 1,
      offset: 0,
      pixels: 0,
    });
    expect(isFileInput(file)).toBe(true);
    expect([null, 1, {}, new Uint8Array(1)].some(isFileInput)).toBe(false);
  });

  it.each([
    [{ path: "", bytes: 1 }, "a file's path for path"],
    [{ path: 5, bytes: 1 }, "a file's path for path"],
    [{ path: "x", bytes: -1 }, "for bytes"],
    [{ path: "x", bytes: 1.5 }, "for bytes"],
    [{ path: "x" }, "for bytes"],
    [{ path: "x", bytes: 1, offset: -1 }, "for offset"],
    [{ path: "x", bytes: 1, channels: 0 }, "for channels"],
    [{ path: "x", bytes: 1, channels: 5 }, "for channels"],
    [{ path: "x", bytes: 1, type: "f8" }, "one of u8, i8"],
    [{ path: "x", bytes: 3, type: "f64" }, "f64 samples (8 bytes each) in x but it has 3 bytes"],
  ])("wrong description %# is refused", (init, what) => {
    expectError(() => fileSamples(init as never), "ERR_INPUT", what);
  });
});
