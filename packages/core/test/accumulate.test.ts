import { describe, expect, it } from "vitest";
import { regular } from "../src/axis/axis.ts";
import type { Accumulator, ChannelsPart as Counted } from "../src/backend/index.ts";
import { PolybinError } from "../src/base/errors.ts";
import { openEngine } from "../src/engine/open.ts";
import { type Fake, FakeBackend, rejectionOf } from "./helpers.ts";

const data = Uint8Array.of(1, 2, 2, 255);
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A device that keeps counts, and a record of what its accumulators were asked. */
function keeping(record: string[], changes: Partial<Accumulator> = {}): Fake {
  let made = 0;
  return {
    more: (_, honest) => ({
      accumulator() {
        const id = made++;
        let kept: Counted[] = [];
        record.push(`make ${id}`);
        return {
          add: async (input) => {
            record.push(`add ${id}`);
            kept.push(honest(input));
          },
          take: async () => {
            record.push(`take ${id}`);
            const [first, ...rest] = kept;
            kept = [];
            for (const part of rest) {
              for (const [i, { cells, flow }] of part.channels.entries()) {
                const to = first!.channels[i]!;
                for (let cell = 0; cell < cells.length; cell++) to.cells[cell]! += cells[cell]!;
                for (let kind = 0; kind < flow.length; kind++) to.flow[kind]! += flow[kind]!;
              }
            }
            return first!;
          },
          free: async () => void record.push(`free ${id}`),
          ...changes,
        };
      },
    }),
  };
}

async function open(fake: Fake = {}) {
  const backend = new FakeBackend(fake);
  const engine = await openEngine({ backend });
  return { backend, engine, counter: await engine.prepare() };
}

describe("counts accumulated on the device", () => {
  it("have one accumulator per size of input, and are taken together", async () => {
    const record: string[] = [];
    const { engine, backend, counter } = await open(keeping(record));
    for (const input of [data, new Uint8Array(3), data, new Uint8Array(0)]) await counter.accumulate(input);
    expect(record).toEqual(["make 0", "add 0", "make 1", "add 1", "add 0"]);
    const total = await counter.take();
    expect([total.counts[0], total.counts[2], total.sum()]).toEqual([3, 4, 11]);
    expect(record.splice(0).slice(-2)).toEqual(["take 0", "take 1"]);
    expect((await counter.take()).sum()).toBe(0);
    await counter.accumulate(data);
    expect((await counter.take()).counts[2]).toBe(2);
    expect(record).toEqual(["add 0", "take 0"]);
    expect(backend.record).not.toContain("count");
    await counter.free();
    expect(record.slice(-2)).toEqual(["free 0", "free 1"]);
    await engine.close();
  });

  it("exist for some sizes; others are added up on the host, and the next take frees them all", async () => {
    const record: string[] = [];
    const { engine, backend, counter } = await open(keeping(record));
    for (let n = 1; n <= 20; n++) await counter.accumulate(new Uint8Array(n));
    expect(record.filter((what) => what.startsWith("make"))).toHaveLength(16);
    expect(backend.record.filter((what) => what === "count")).toHaveLength(4);
    expect((await counter.take()).counts[0]).toBe(210);
    expect(record.filter((what) => what.startsWith("free"))).toHaveLength(16);
    await counter.accumulate(new Uint8Array(20));
    expect(record.at(-1)).toBe("add 16");
    expect((await counter.take()).counts[0]).toBe(20);
    await engine.close();
  });

  it("are freed by the engine's close, and are not created for samples with one code", async () => {
    const record: string[] = [];
    const { engine, backend, counter } = await open(keeping(record));
    await counter.accumulate(data);
    const wide = await engine.prepare({ type: "u32", axis: regular(4, -9, -1) });
    await wide.accumulate(Uint32Array.of(1, 2, 3));
    await wide.accumulate(Uint32Array.of(1));
    expect(await wide.take()).toMatchObject({ overflow: 4 });
    expect(record).toEqual(["make 0", "add 0"]);
    await engine.close();
    expect(record.at(-1)).toBe("free 0");
    expect(backend.record.at(-1)).toBe("close");
  });

  it("are kept if take rejects, whatever it had copied to the host before", async () => {
    const record: string[] = [];
    const failures = [new PolybinError("ERR_OUT_OF_MEMORY", "full")];
    let takes = 0;
    const fake = keeping(record);
    const { engine, counter } = await open({
      more: (job, honest) => {
        const { accumulator } = fake.more!(job, honest);
        return {
          accumulator() {
            const of = accumulator!();
            const take: Accumulator["take"] = async (options) => {
              const failure = takes++ === 1 ? failures.pop() : undefined;
              if (failure !== undefined) throw failure;
              return of.take(options);
            };
            return { ...of, take };
          },
        };
      },
    });
    await counter.accumulate(data);
    await counter.accumulate(new Uint8Array(3));
    expect(await rejectionOf(counter.take())).toMatchObject({ code: "ERR_OUT_OF_MEMORY", backend: "fake" });
    await counter.accumulate(data);
    expect((await counter.take()).sum()).toBe(11);
    await engine.close();
  });

  it("are discarded if the device miscounts", async () => {
    const record: string[] = [];
    const one: Counted = {
      channels: [{ cells: new Float64Array(256).fill(1, 0, 1), flow: new Float64Array(3) }],
      timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
    };
    const { engine, counter } = await open(keeping(record, { take: async () => one }));
    await counter.accumulate(data);
    expect(await rejectionOf(counter.take())).toMatchObject({ code: "ERR_MISCOUNT", backend: "fake" });
    expect(record.at(-1)).toBe("free 0");
    expect((await counter.take()).sum()).toBe(0);
    await counter.accumulate(Uint8Array.of(0));
    expect((await counter.take()).counts[0]).toBe(1);
    await engine.close();
  });
});

describe.each([
  ["at home", () => ({})],
  ["on the device", () => keeping([])],
] as const)("counts that are added up %s", (_, fake) => {
  it("include every call before take, also calls that are still running", async () => {
    const { engine, counter } = await open(fake());
    const adding = Array.from({ length: 50 }, (_, i) => counter.accumulate(new Uint8Array(1 + (i % 3))));
    const first = counter.take();
    const later = Array.from({ length: 10 }, () => counter.accumulate(Uint8Array.of(9)));
    const [second, third] = [counter.take(), counter.take()];
    expect((await first).sum()).toBe(99);
    await Promise.all([...adding, ...later]);
    expect([(await second).sum(), (await third).sum()]).toEqual([10, 0]);
    await engine.close();
  });

  it("include a whole input or nothing of it", async () => {
    const { engine, counter } = await open(fake());
    await counter.accumulate(data);
    for (const call of [
      counter.accumulate(Uint16Array.of(1)),
      counter.accumulate(data, { signal: AbortSignal.abort("enough") }),
      counter.accumulate(new Blob([]) as never),
    ]) {
      await call.then(
        () => expect.unreachable(),
        () => {},
      );
    }
    expect((await counter.take()).sum()).toBe(4);
    await engine.close();
  });

  it("are kept if a take is aborted", async () => {
    const { engine, counter } = await open(fake());
    await counter.accumulate(data);
    await expect(counter.take({ signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    const controller = new AbortController();
    const taking = counter.take({ signal: controller.signal });
    controller.abort("later");
    await expect(taking).rejects.toBe("later");
    expect((await counter.take()).sum()).toBe(4);
    await engine.close();
  });

  it("have the plan of the last input, or the counter's own without inputs", async () => {
    const { engine, counter } = await open(fake());
    expect((await counter.take()).plan).toMatchObject({ algorithm: "per-lane" });
    for (const n of [7, 5]) await counter.accumulate(new Uint8Array(n));
    expect(await counter.take()).toMatchObject({ plan: { samples: 5 }, backend: "fake", timings: null });
    await engine.close();
  });

  it("end with free, which waits for running additions", async () => {
    const { engine, counter } = await open(fake());
    const adding = counter.accumulate(data);
    await counter.free();
    await adding;
    for (const call of [counter.accumulate(data), counter.take()]) {
      expect(await rejectionOf(call)).toMatchObject({ code: "ERR_INPUT" });
    }
    await engine.close();
  });
});

describe("a call that fails while others are adding", () => {
  it("adds nothing to any channel", async () => {
    const { engine } = await open({
      counted(honest, { input }) {
        if (input.kind === "samples" && input.samples.bytes[0] === 9) honest.channels[1]!.cells[0]! += 1;
        return honest;
      },
    });
    const counter = await engine.prepare({ interleaved: 2, channels: [0, 1] });
    const of = (...bytes: number[]) => counter.accumulate({ data: Uint8Array.from(bytes), channels: 2 });
    const calls = await Promise.allSettled([of(1, 2), of(9, 9), of(3, 4)]);
    expect(calls.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const [left, right] = await counter.take();
    expect([left!.sum(), right!.sum(), left!.counts[9]]).toEqual([2, 2, 0]);
    await engine.close();
  });

  it("is aborted while the device counts: nothing is added", async () => {
    const controller = new AbortController();
    const { engine, counter } = await open({
      async counted(honest) {
        await settle();
        return honest;
      },
    });
    const stopped = counter.accumulate(data, { signal: controller.signal });
    const other = counter.accumulate(data);
    controller.abort("enough");
    await expect(stopped).rejects.toBe("enough");
    await other;
    expect((await counter.take()).sum()).toBe(4);
    await engine.close();
  });

  it("is refused if more calls wait than maxQueue allows", async () => {
    const gate = Promise.withResolvers<void>();
    const backend = new FakeBackend({
      callsAtOnce: 1,
      async counted(honest) {
        await gate.promise;
        return honest;
      },
    });
    const engine = await openEngine({ backend, maxQueue: 0 });
    const counter = await engine.prepare();
    const first = counter.accumulate(data);
    expect(await rejectionOf(counter.accumulate(data))).toMatchObject({ code: "ERR_LIMIT" });
    gate.resolve();
    await first;
    expect((await counter.take()).sum()).toBe(4);
    await engine.close();
  });
});

it("is exact up to 2^53 - 1; above that nothing is added", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const pixels = most - 3;
  const huge = { kind: "external", backend: "fake", type: "u8", channels: 1, pixels } as const;
  const { engine, counter } = await open({
    count: async ({ input, plan }) => {
      const cells = new Float64Array(plan.cells);
      cells[7] = input.kind === "samples" ? input.samples.pixels : pixels;
      return {
        channels: [{ cells, flow: new Float64Array(3) }],
        timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
      };
    },
  });
  await counter.accumulate(huge);
  expect(await rejectionOf(counter.accumulate(data))).toMatchObject({ code: "ERR_LIMIT", backend: "fake" });
  await counter.accumulate(data.subarray(1));
  expect((await counter.take()).counts[7]).toBe(most);
  await counter.accumulate(data);
  expect((await counter.take()).counts[7]).toBe(4);
  await engine.close();
});

it("adds up the times of its calls if they were requested", async () => {
  const { engine } = await open();
  const counter = await engine.prepare({ timings: true });
  for (let i = 0; i < 3; i++) await counter.accumulate(data);
  const { timings } = await counter.take();
  expect(timings).toMatchObject({ readMs: 3, uploadMs: 6, kernelMs: 12 });
  expect((await counter.take()).timings).toMatchObject({ kernelMs: 0 });
  await engine.close();
});
