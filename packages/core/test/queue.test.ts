import { describe, expect, it } from "vitest";
import type { ChannelsPart } from "../src/backend/index.ts";
import { openEngine } from "../src/engine/open.ts";
import { multithreaded } from "../src/multithreaded/index.ts";
import { expectError, type Fake, FakeBackend, rejectionOf } from "./helpers.ts";

const pixels = Uint8Array.of(1, 2, 3);

/** An engine whose device counts only when it is told to. */
async function held(fake: Fake = {}, maxQueue?: number) {
  const waiting: (() => void)[] = [];
  let [now, most] = [0, 0];
  const counted = async (honest: ChannelsPart) => {
    most = Math.max(most, ++now);
    await new Promise<void>((resolve) => waiting.push(resolve));
    now--;
    return honest;
  };
  const engine = await openEngine({ backend: new FakeBackend({ counted, ...fake }), maxQueue });
  let isOpen = false;
  return {
    engine,
    /** How many the device counts, and how many it ever counted at once. */
    now: () => now,
    most: () => most,
    /** Lets those go that are counted, and all that come. */
    async open(): Promise<void> {
      isOpen = true;
      while (isOpen) {
        for (const go of waiting.splice(0)) go();
        await new Promise((resolve) => setImmediate(resolve));
        isOpen = now > 0;
      }
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("many calls at once", () => {
  it("are passed to a device callsAtOnce at a time (16 by default), and all end", async () => {
    for (const [callsAtOnce, most] of [
      [undefined, 16],
      [3, 3],
      [1, 1],
    ] as const) {
      const device = await held(callsAtOnce === undefined ? {} : { callsAtOnce });
      const calls = Array.from({ length: 200 }, () => device.engine.histogram(pixels));
      await settle();
      expect(device.now()).toBe(most);
      await device.open();
      expect((await Promise.all(calls)).map((h) => h.sum())).toEqual(Array(200).fill(3));
      expect(device.most()).toBe(most);
      await device.engine.close();
    }
  });

  it("also wait for extents, sums and weighted calls", async () => {
    let [now, most] = [0, 0];
    const extent = async () => {
      most = Math.max(most, ++now);
      await settle();
      now--;
      return { min: 0, max: 1 };
    };
    const engine = await openEngine({ backend: new FakeBackend({ extent, callsAtOnce: 2 }) });
    await Promise.all(Array.from({ length: 20 }, () => engine.extent(pixels)));
    await Promise.all(Array.from({ length: 20 }, () => engine.histogram(Float32Array.of(0, 1))));
    expect(most).toBe(2);
    await engine.close();
    await using own = await openEngine();
    const weights = Float32Array.of(1, 2, 3);
    await using table = await own.table({ values: pixels, features: 1, documents: 3, bins: 4 });
    const all = await Promise.all([
      ...Array.from({ length: 100 }, async () => (await own.histogram(pixels, { weights })).sums[3]),
      ...Array.from({ length: 100 }, async () => (await table.sums(weights)).sums[0]![3]),
    ]);
    expect(all).toEqual(Array(200).fill(3));
  });

  it("10,000 of them wait, memory and streams, with one signal and without a warning", {
    timeout: 60_000,
  }, async () => {
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    process.on("warning", warn);
    await using engine = await openEngine();
    const { signal } = new AbortController();
    const blob = new Blob([pixels]);
    const calls = Array.from({ length: 10_000 }, (_, i) =>
      engine.histogram(i % 2 ? pixels : blob, { signal }),
    );
    expect((await Promise.all(calls)).every((h) => h.sum() === 3)).toBe(true);
    await settle();
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  it("an aborted call leaves the queue at once, without a turn", async () => {
    const device = await held({ callsAtOnce: 1 });
    const first = device.engine.histogram(pixels);
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [
      device.engine.histogram(pixels, { signal }),
      device.engine.extent(pixels, { signal }),
      device.engine.histogram(new Blob([pixels]), { signal }),
    ];
    const last = device.engine.histogram(pixels);
    await settle();
    controller.abort("enough");
    await Promise.all(waiting.map((call) => expect(call).rejects.toBe("enough")));
    expect(device.now()).toBe(1);
    await device.open();
    expect((await Promise.all([first, last])).map((h) => h.sum())).toEqual([3, 3]);
    expect(device.most()).toBe(1);
    await device.engine.close();
  });

  it("are refused only if more calls wait than maxQueue allows", async () => {
    for (const maxQueue of [0, 2]) {
      const device = await held({ callsAtOnce: 3 }, maxQueue);
      const calls = Array.from({ length: 3 + maxQueue }, () => device.engine.histogram(pixels));
      const error = await rejectionOf(device.engine.histogram(pixels));
      expect(error).toMatchObject({ code: "ERR_LIMIT", backend: "fake" });
      expect(error.message).toContain(`at most ${maxQueue} waiting calls`);
      await device.open();
      await Promise.all(calls);
      const again = device.engine.histogram(pixels);
      await settle();
      await device.open();
      expect((await again).sum()).toBe(3);
      await device.engine.close();
    }
    for (const maxQueue of [-1, 1.5, Number.NaN, "2", null]) {
      const error = await rejectionOf(openEngine({ maxQueue: maxQueue as number }));
      expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining("for maxQueue") });
    }
  });
});

describe("close", () => {
  /** A stream that delivers some pieces and then nothing more. */
  function stalled(pieces: readonly Uint8Array[]) {
    const state = { asked: 0, returned: 0 };
    const iterator: AsyncIterator<Uint8Array> = {
      next: () => {
        const value = pieces[state.asked++];
        return value === undefined ? new Promise(() => {}) : Promise.resolve({ done: false, value });
      },
      // Nor does it ever say that it was let go.
      return: () => {
        state.returned++;
        return new Promise(() => {});
      },
    };
    return { state, stream: { [Symbol.asyncIterator]: () => iterator } };
  }

  const closed = { code: "ERR_UNAVAILABLE", message: expect.stringContaining("the stream to end") };

  it("does not wait for a stream that delivers nothing: its call rejects, and the stream is released", async () => {
    for (const options of [{}, { signal: new AbortController().signal }, { onProgress: () => {} }]) {
      const backend = new FakeBackend();
      const engine = await openEngine({ backend });
      const { stream, state } = stalled([pixels]);
      const counting = rejectionOf(engine.histogram(stream, options));
      await settle();
      expect(state.asked).toBe(2);
      await engine.close();
      expect(await counting).toMatchObject({ ...closed, backend: "fake" });
      expect(state.returned).toBe(1);
      expect(backend.record.at(-1)).toBe("close");
    }
  });

  it("waits only for the piece of a stream that the device is counting", async () => {
    const device = await held();
    const whole = new Uint8Array(2 ** 23);
    const { stream, state } = stalled([whole, whole, whole]);
    const counting = rejectionOf(device.engine.histogram(stream));
    while (device.now() === 0) await settle();
    let isClosed = false;
    const closing = device.engine.close().then(() => {
      isClosed = true;
    });
    await settle();
    expect(isClosed).toBe(false);
    await device.open();
    await closing;
    expect(await counting).toMatchObject(closed);
    expect(state.returned).toBe(1);
  });

  it("waits for all calls, including those that wait for their turn", async () => {
    const device = await held({ callsAtOnce: 2 });
    const calls = Array.from({ length: 20 }, () => device.engine.histogram(pixels));
    const closing = device.engine.close();
    expect(await rejectionOf(device.engine.histogram(pixels))).toMatchObject({ code: "ERR_UNAVAILABLE" });
    await device.open();
    await closing;
    expect((await Promise.all(calls)).map((h) => h.sum())).toEqual(Array(20).fill(3));
  });

  it("a stream that delivers nothing does not take a turn", async () => {
    await using engine = await openEngine({ backend: new FakeBackend({ callsAtOnce: 1 }) });
    const counting = rejectionOf(engine.histogram(stalled([pixels]).stream));
    expect((await engine.histogram(pixels)).sum()).toBe(3);
    await engine.close();
    expect(await counting).toMatchObject(closed);
  });
});

describe("multithreaded", () => {
  it.each([
    [1, 4],
    [2, 4],
    [64, 4],
    [65, 3],
    [100, 2],
    [128, 2],
    [129, 1],
    [256, 1],
  ])("with %i threads a call forks %i times at once", async (threads, calls) => {
    expect((await multithreaded({ threads }).open()).callsAtOnce).toBe(calls);
  });

  it("has no more threads than those of four calls, for any number of calls", {
    timeout: 60_000,
  }, async () => {
    let [now, most] = [0, 0];
    const count = (worker: import("node:worker_threads").Worker) => {
      most = Math.max(most, ++now);
      worker.once("exit", () => now--);
    };
    process.on("worker", count);
    await using engine = await openEngine({ backend: multithreaded({ threads: 2 }) });
    const calls = Array.from({ length: 12 }, () => engine.histogram(pixels, { algorithm: "multithreaded" }));
    expect((await Promise.all(calls)).map((h) => h.sum())).toEqual(Array(12).fill(3));
    process.off("worker", count);
    expect(most).toBe(8);
  });
});

it("numbers in a description are checked before they are used", async () => {
  await using engine = await openEngine();
  const external = { kind: "external", backend: "cpu", type: "u8", channels: 1, pixels: 1 } as const;
  for (const [changes, message] of [
    [{ channels: 4e9 }, "from 1 to 4 for channels but received 4000000000"],
    [{ channels: -1 }, "for channels"],
    [{ pixels: 0.5 }, "for pixels"],
    [{ type: "u7" as "u8" }, "for type"],
  ] as const) {
    const error = await rejectionOf(engine.histograms({ ...external, ...changes }));
    expect(error).toMatchObject({ code: "ERR_INPUT", message: expect.stringContaining(message) });
  }
  const file = { kind: "file", path: "x", type: "u8", channels: 4e9, offset: 0, pixels: 1 } as const;
  expect(await rejectionOf(engine.histograms(file))).toMatchObject({ code: "ERR_INPUT" });
  expectError(() => multithreaded({ threads: 4e9 }), "ERR_LIMIT", "for threads");
});
