import { appendFileSync, mkdtempSync, openAsBlob, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEngine } from "../src/engine/open.ts";
import { isByteStream } from "../src/input/byte-stream.ts";
import { rejectionOf, wholePixels } from "./helpers.ts";

/** A source that tells whether it was closed. */
function source(chunks: Iterable<unknown>): AsyncIterable<Uint8Array> & { closed: boolean } {
  const self = {
    closed: false,
    async *[Symbol.asyncIterator]() {
      try {
        for (const chunk of chunks) yield chunk as Uint8Array;
      } finally {
        self.closed = true;
      }
    },
  };
  return self;
}

async function gather(...of: Parameters<typeof wholePixels>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  // A piece is valid only until the next but one, so it is copied.
  for await (const piece of wholePixels(...of)) pieces.push(Uint8Array.from(piece));
  return pieces;
}

const bytes = (length: number, from = 0) => Uint8Array.from({ length }, (_, i) => from + i);

describe("a stream of bytes", () => {
  it("is any object that delivers bytes in sequence", () => {
    expect(isByteStream(new Blob([]))).toBe(true);
    expect(isByteStream(new ReadableStream())).toBe(true);
    expect(isByteStream(source([]))).toBe(true);
    for (const value of [null, undefined, 5, "x", {}, [], new Uint8Array(1), new ArrayBuffer(1)]) {
      expect(isByteStream(value)).toBe(false);
    }
  });

  it("gives the same result in every form, for any size of chunks", async () => {
    const right = bytes(200);
    for (const cut of [1, 3, 64, 200]) {
      const chunks = Array.from({ length: Math.ceil(200 / cut) }, (_, i) =>
        right.subarray(i * cut, (i + 1) * cut),
      );
      const forms = [
        source(chunks),
        new Blob(chunks),
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (const chunk of chunks) controller.enqueue(chunk);
            controller.close();
          },
        }),
      ];
      for (const form of forms) expect(await gather(form, "u32", 1)).toEqual([right]);
    }
  });

  it("may deliver views of any kind, and empty chunks", async () => {
    const words = Uint16Array.of(0x0201, 0x0403);
    const chunks = [
      new Uint8Array(0),
      new Uint8ClampedArray(words.buffer),
      new DataView(words.buffer, 1, 2),
      Buffer.of(9),
      new Uint8Array(0),
    ];
    expect(await gather(source(chunks), "u8", 1)).toEqual([Uint8Array.of(1, 2, 3, 4, 2, 3, 9)]);
  });

  it("may be empty", async () => {
    expect(await gather(source([]), "f64", 4)).toEqual([]);
    expect(await gather(new Blob([]), "f64", 4)).toEqual([]);
  });

  it.each([
    ["u8", 1, 8_388_608],
    ["f64", 3, 8_388_600],
    ["f32", 3, 8_388_600],
    ["u16", 4, 8_388_608],
  ] as const)("of %s in %i channels comes in pieces of whole pixels", async (type, channels, size) => {
    const chunk = bytes(2 ** 20);
    const pixel = { u8: 1, u16: 2, f32: 4, f64: 8 }[type] * channels;
    // A little more than two pieces, in whole pixels, in chunks that end anywhere.
    const total = 2 * size + 5 * pixel;
    const chunks: Uint8Array[] = [];
    for (let left = total; left > 0; left -= chunk.length) chunks.push(chunk.subarray(0, left));
    const pieces = await gather(source(chunks), type, channels);
    expect(pieces.map((piece) => piece.length)).toEqual([size, size, 5 * pixel]);
    const at = (i: number) => (i % 2 ** 20) % 256;
    for (const [i, place] of [0, size - 1, size, 2 * size, total - 1].entries()) {
      const piece = pieces[Math.floor(place / size)]!;
      expect({ i, value: piece[place % size] }).toEqual({ i, value: at(place) });
    }
  });

  it("that ends inside a pixel is refused, after the whole pieces", async () => {
    const error = await rejectionOf(gather(source([bytes(10)]), "u16", 3));
    expect(error).toMatchObject({ code: "ERR_INPUT" });
    expect(error.message).toContain("u16 samples (6 bytes each) but the stream ended with 4 bytes over");
  });

  it("that delivers other values than bytes is refused and closed", async () => {
    for (const chunk of ["text", 5, null, [1, 2]]) {
      const of = source([bytes(2), chunk]);
      const error = await rejectionOf(gather(of, "u8", 1));
      expect(error.code).toBe("ERR_INPUT");
      expect(error.message).toContain(
        "expected bytes or a typed array for a piece of the stream but received",
      );
      expect(of.closed).toBe(true);
    }
  });

  it("that fails rejects with its own error", async () => {
    const failing = async function* () {
      yield bytes(3);
      throw new TypeError("the disk is gone");
    };
    await expect(gather(failing(), "u8", 1)).rejects.toThrow("the disk is gone");
    const web = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError("the net is gone")),
    });
    await expect(gather(web, "u8", 1)).rejects.toThrow("the net is gone");
  });

  it("is refused while it has another reader, and is not closed", async () => {
    const web = new Blob([bytes(3)]).stream();
    const reader = web.getReader();
    const error = await rejectionOf(gather(web, "u8", 1));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("it is locked") });
    expect((await reader.read()).value).toEqual(bytes(3));
  });

  it("is closed when reading stops early", async () => {
    const endless = source(
      (function* () {
        for (;;) yield bytes(2 ** 20);
      })(),
    );
    for await (const piece of wholePixels(endless, "u8", 1)) {
      expect(piece).toHaveLength(8_388_608);
      break;
    }
    expect(endless.closed).toBe(true);

    let canceled = false;
    const web = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes(2 ** 20)),
      cancel() {
        canceled = true;
      },
    });
    for await (const _ of wholePixels(web, "u8", 1)) break;
    expect(canceled).toBe(true);
  });
});

describe("abort", () => {
  it("before the start reads nothing", async () => {
    const of = source([bytes(1)]);
    await expect(gather(of, "u8", 1, AbortSignal.abort("enough"))).rejects.toBe("enough");
  });

  it("between two small pieces takes effect at the next, and closes the source", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const of = (async function* () {
      try {
        yield bytes(1);
        controller.abort("enough");
        yield bytes(1);
        yield bytes(1);
      } finally {
        closed.resolve();
      }
    })();
    await expect(gather(of, "u8", 1, controller.signal)).rejects.toBe("enough");
    await closed.promise;
  });

  it("does not wait for a stream that delivers nothing", async () => {
    const controller = new AbortController();
    const silent: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next() {
          queueMicrotask(() => controller.abort("enough"));
          return new Promise(() => {});
        },
      }),
    };
    await expect(gather(silent, "u8", 1, controller.signal)).rejects.toBe("enough");
  });

  it("cancels a web stream that delivers nothing", async () => {
    const controller = new AbortController();
    const canceled = Promise.withResolvers<void>();
    const silent = new ReadableStream<Uint8Array>({
      pull() {
        controller.abort("enough");
        return new Promise(() => {});
      },
      cancel: () => canceled.resolve(),
    });
    await expect(gather(silent, "u8", 1, controller.signal)).rejects.toBe("enough");
    await canceled.promise;
  });

  it("leaves no listener", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...of: Parameters<typeof add>) => {
      listeners++;
      add(...of);
    };
    signal.removeEventListener = (...of: Parameters<typeof remove>) => {
      listeners--;
      remove(...of);
    };
    await gather(source([bytes(3)]), "u8", 1, signal);
    expect(listeners).toBe(0);
  });
});

it("uses two buffers, for any length", async () => {
  const buffers = new Set<ArrayBufferLike>();
  const half = new Uint8Array(5_000_000);
  for await (const piece of wholePixels(source(Array.from({ length: 10 }, () => half)), "u8", 1)) {
    buffers.add(piece.buffer);
  }
  expect(buffers.size).toBe(2);
});

it("refuses a piece whose memory is gone", async () => {
  async function* pieces() {
    const piece = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 8 }), 0, 8);
    piece.buffer.resize(4);
    yield piece;
  }
  const error = await rejectionOf(wholePixels(pieces(), "u8", 1).next());
  expect(error).toMatchObject({ code: "ERR_INPUT" });
});

describe("a stream of typed arrays", () => {
  const floats = [Float32Array.of(1, 2), Float32Array.of(2)];
  const range = { bins: 2, range: [1, 3] } as const;

  it("has their type", async () => {
    await using engine = await openEngine();
    const h = await engine.histogram(source(floats), range);
    expect([h.type, ...h.counts]).toEqual(["f32", 1, 2]);
    const empty = await engine.histogram(source([new Int16Array(0)]));
    expect(empty.type).toBe("i16");
    expect((await engine.histogram(source([]))).type).toBe("u8");
    expect((await engine.histogram(source([new DataView(new ArrayBuffer(4))]))).counts[0]).toBe(4);
    const big = await engine.histogram(source([BigInt64Array.of(-1n, 5n)]), { bins: 2, range: [-2, 6] });
    expect([big.type, ...big.counts]).toEqual(["i64", 1, 1]);
    const total = await engine.histogram(source(floats), { ...range, bytes: 12 });
    expect(total.sum()).toBe(3);
  });

  it("may be named; bytes hold samples of the named type", async () => {
    await using engine = await openEngine();
    const mixed = [...floats, new Uint8Array(Float32Array.of(1.5).buffer)];
    expect([...(await engine.histogram(source(mixed), { ...range, type: "f32" })).counts]).toEqual([2, 2]);
  });

  it.each([
    ["another type that is named", floats, { type: "u8" }, /expected f32, .* for type but received "u8"/],
    ["a piece of another type", [...floats, Uint8Array.of(1)], range, /samples of f32, like the first/],
    ["a float after bytes", [Uint8Array.of(1), ...floats], {}, /samples of u8, like the first/],
    ["no axis for them", floats, {}, /axis/],
    ["a first piece that holds no samples", ["text"], {}, /bytes or a typed array/],
  ])("refuses %s, and releases the stream", async (_, pieces, options, message) => {
    await using engine = await openEngine();
    const stream = source(pieces);
    const error = await rejectionOf(engine.histogram(stream, options as object));
    expect(error).toMatchObject({ code: expect.stringMatching(/ERR_INPUT|ERR_AXIS/) });
    expect((error as Error).message).toMatch(message);
    expect(stream.closed).toBe(true);
  });
});

it("reports a Node stream that is destroyed before its end", async () => {
  await using engine = await openEngine();
  const stream = new PassThrough();
  stream.write(bytes(5));
  const counting = rejectionOf(engine.histogram(stream));
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy();
  expect(await counting).toMatchObject({
    name: "PolybinError",
    code: "ERR_INPUT",
    backend: "cpu",
    message: expect.stringContaining("destroyed before its end"),
  });
  expect((await engine.histogram(bytes(5))).sum()).toBe(5);
});

describe("a stream that promises bytes", () => {
  const count = async (stream: Parameters<typeof wholePixels>[0], options: object) => {
    await using engine = await openEngine();
    return await engine.histogram(stream, options);
  };

  it("delivers exactly these, and its progress has a total", async () => {
    const seen: unknown[] = [];
    const onProgress = (progress: unknown) => seen.push(progress);
    const h = await count(source([bytes(5), bytes(0), bytes(3)]), { bytes: 8, onProgress });
    expect(h.sum()).toBe(8);
    expect(seen).toEqual([{ done: 8, total: 8 }]);
    const words = await count(source([bytes(5), bytes(3)]), {
      bytes: 8,
      type: "u16",
      interleaved: 2,
      channel: 0,
    });
    expect(words.sum()).toBe(2);
    expect((await count(source([]), { bytes: 0 })).sum()).toBe(0);
    expect((await count(new Blob([bytes(7)]), { bytes: 7 })).sum()).toBe(7);
  });

  it.each([
    ["fewer", [5], 8, "expected 8 bytes from the stream but it ended after 5"],
    ["none", [], 1, "expected 1 bytes from the stream but it ended after 0"],
    ["more at once", [9], 8, "expected 8 bytes from the stream but received at least 9"],
    ["more later", [8, 1], 8, "expected 8 bytes from the stream but received at least 9"],
    ["some where none are promised", [1], 0, "expected 0 bytes from the stream but received at least 1"],
    ["fewer than many", [2 ** 23, 2 ** 23], 2 ** 24 + 1, "it ended after 16777216"],
    ["more than many", [2 ** 23, 2 ** 23, 1], 2 ** 24, "at least 16777217"],
  ])("is refused if it delivers %s", async (_, sizes, promised, message) => {
    const chunks = sizes.map((size) => new Uint8Array(size));
    const error = await rejectionOf(count(source(chunks), { bytes: promised }));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining(message) });
  });

  it("must promise a whole number; a Blob promises its size, and memory its length", async () => {
    for (const wrong of [-1, 1.5, Number.NaN, "8", null]) {
      const error = await rejectionOf(count(source([]), { bytes: wrong }));
      expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("for bytes") });
    }
    for (const input of [new Blob([bytes(7)]), bytes(7) as never]) {
      const error = await rejectionOf(count(input, { bytes: 8 }));
      expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("for bytes") });
    }
  });

  it("may be a Blob of a file, which must not change", async () => {
    const folder = mkdtempSync(join(tmpdir(), "polybin-core-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "bytes");
    const changes: readonly (() => void)[] = [
      () => truncateSync(path, 0),
      () => truncateSync(path, 10),
      () => appendFileSync(path, "x"),
    ];
    for (const change of changes) {
      for (const when of ["before", "meanwhile"]) {
        writeFileSync(path, new Uint8Array(2 ** 24 + 3));
        const blob = await openAsBlob(path);
        let left = 1;
        if (when === "before") change();
        const onProgress = () => void (when === "meanwhile" && left-- === 1 && change());
        const error = await rejectionOf(count(blob, { onProgress }));
        expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("from the Blob") });
      }
    }
  });
});
