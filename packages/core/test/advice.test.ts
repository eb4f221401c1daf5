import { describe, expect, it } from "vitest";
import { openEngine } from "../src/engine/open.ts";
import { type SamplesInit, samples } from "../src/input/samples.ts";
import { expectError, rejectionOf } from "./helpers.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong values are the point
type Anything = any;

/** An object of a platform's class, as far as its tag tells. */
const platform = (tag: string, rest: object = {}): object => ({ ...rest, [Symbol.toStringTag]: tag });

/** Arrow's Vector, as of apache-arrow 21: its own properties, and the methods of its prototype. */
class Vector {
  readonly isMemoized = false;
  readonly type = { typeId: 3 };
  readonly data = [{}];
  readonly length = 2;
  readonly stride = 1;
  readonly numChildren = 0;
  readonly _offsets = Uint32Array.of(0, 2);
  toArray(): Float32Array {
    return Float32Array.of(1, 2);
  }
  get [Symbol.toStringTag](): string {
    return "Vector<Float32>";
  }
}

const PIXELS = "pass ctx.getImageData(0, 0, width, height)";

describe("values that are not samples get advice on what to pass instead", () => {
  it.each([
    ["a canvas of a page", platform("HTMLCanvasElement"), `${PIXELS} of its 2d context`],
    ["an OffscreenCanvas", platform("OffscreenCanvas"), `${PIXELS} of its 2d context`],
    ["a canvas of a library", { width: 1, getContext() {} }, `${PIXELS} of its 2d context`],
    ["a context", platform("CanvasRenderingContext2D"), PIXELS],
    ["a context of a library", { getImageData() {} }, PIXELS],
    ["an ImageBitmap", platform("ImageBitmap", { width: 1 }), `${PIXELS} of a canvas on which it was drawn`],
    ["an image", platform("HTMLImageElement"), `${PIXELS} of a canvas on which it was drawn`],
    ["a video", platform("HTMLVideoElement"), `${PIXELS} of a canvas on which it was drawn`],
    ["a VideoFrame", platform("VideoFrame"), 'await frame.copyTo(data, { format: "RGBA" })'],
    ["a Blob", new Blob(["abc"]), "pass await blob.arrayBuffer()"],
    ["a File", new File(["abc"], "x"), "pass await file.arrayBuffer()"],
    ["a Response", new Response("abc"), "pass response.body for a stream"],
    ["a stream", new Blob(["abc"]).stream(), "the stream itself to histogram"],
    ["a generator", (async function* () {})(), "the stream itself to histogram"],
    ["a promise", Promise.resolve(Uint8Array.of(1)), "pass the value it resolves to: await it"],
    ["a path", "photo.png", "pass the bytes of a file"],
    ["an Arrow vector", new Vector(), "pass its toArray()"],
    ["a tensor", { dataSync() {} }, "pass await its data()"],
    ["a GPUBuffer", platform("GPUBuffer"), "pass bufferSamples(buffer) from @polybin/webgpu"],
    ["a GPUTexture", platform("GPUTexture"), "pass textureSamples(texture) from @polybin/webgpu"],
  ])("%s", async (_, wrong, advice) => {
    for (const input of [wrong, { data: wrong }]) {
      if (typeof input === "string" || !(input instanceof Vector)) {
        expectError(() => samples(input as SamplesInit), "ERR_INPUT", "expected", "pass ", advice);
      }
    }
    expectError(() => samples(wrong as SamplesInit), "ERR_INPUT", "expected", "pass ", advice);
    await using engine = await openEngine();
    for (const work of [engine.upload(wrong as Anything), engine.extent(wrong as Anything)]) {
      expect(await rejectionOf(work)).toMatchObject({ message: expect.stringContaining(advice) });
    }
  });

  it("there is no advice for unknown values", () => {
    for (const wrong of [null, undefined, 5, {}, new Map(), Object.create(null)]) {
      expect(() => samples(wrong as Anything)).toThrow(/but received [^;]*$/);
    }
  });

  it('a page\'s file handle, which also has the kind "file"', async () => {
    const handle = platform("FileSystemFileHandle", { kind: "file" });
    await using engine = await openEngine();
    const error = await rejectionOf(engine.histogram(handle as Anything));
    expect(error.message).toContain("pass await handle.getFile()");
  });

  it("sharp's data and info, as returned or spread", () => {
    const info = {
      format: "raw",
      width: 2,
      height: 1,
      channels: 3,
      depth: "uchar",
      premultiplied: false,
      hasAlpha: false,
      size: 6,
    };
    const data = new Uint8Array(6);
    const advice = "{ data, width: info.width, height: info.height, channels: info.channels }";
    for (const wrong of [
      { data, ...info },
      { data, info },
      { ...info, data },
    ]) {
      expectError(() => samples(wrong as Anything), "ERR_INPUT", advice);
    }
    const { width, height, channels } = info;
    expect(samples({ data, width, height, channels })).toMatchObject({ pixels: 2, channels: 3 });
  });
});

describe("the memory shared by Node's small Buffers", () => {
  const used = Buffer.from("abc");
  // Later pools push the one of `used` aside.
  const older = used.buffer;
  while (Buffer.allocUnsafe(1000).buffer === older);

  it("is refused, because it also holds the bytes of other Buffers", () => {
    const recent = Buffer.from("abc").buffer;
    for (const data of [
      recent,
      older,
      new Uint8Array(recent),
      new Float32Array(recent),
      new DataView(recent),
    ]) {
      expectError(() => samples(data), "ERR_INPUT", "pass the Buffer, not its .buffer");
      expectError(() => samples({ data }), "ERR_INPUT", "pass the Buffer, not its .buffer");
    }
  });

  it("is accepted as a Buffer, as a part, or as other memory of the same length", () => {
    expect([...samples(used).bytes]).toEqual([97, 98, 99]);
    expect(samples(new Uint8Array(older, used.byteOffset, 3)).pixels).toBe(3);
    for (const data of [new ArrayBuffer(older.byteLength), new Uint8Array(older.byteLength)]) {
      expect(samples(data).pixels).toBe(older.byteLength);
    }
    expect(samples(new SharedArrayBuffer(older.byteLength)).pixels).toBe(older.byteLength);
  });
});
