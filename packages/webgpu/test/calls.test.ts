import { cpu, type Engine, integer, openEngine, regular, type SampleType } from "@polybin/core";
import {
  type ChannelsPart,
  type Input,
  lower,
  type OrderedAxis,
  type Prepared,
  plan,
  samples,
} from "@polybin/core/backend";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebgpuDevice } from "../src/device.ts";
import { Catalog } from "../src/kernels/index.ts";
import { deviceLimits } from "../src/platform/capabilities.ts";
import { USAGE } from "../src/platform/flags.ts";
import { Hardware } from "../src/platform/hardware.ts";
import { Context } from "../src/run/context.ts";
import { DeviceAccumulator } from "../src/run/deliver/accumulate.ts";
import { prepareChannels } from "../src/run/prepare/channels.ts";
import { absence, userDevice } from "./shared.ts";

// Calls over residents: several at once, several per submission, and counts that stay on the device.

const reason = await absence();
const needsDevice = reason === null ? it : (name: string, _: unknown) => it(name, ({ skip }) => skip(reason));

const bytes = Uint8Array.from({ length: 5003 }, (_, i) => (i * i) >>> 5);
const floats = Float32Array.from({ length: 3001 }, (_, i) => (i % 97) / 50 - 0.3);
floats[7] = Number.NaN;
const BYTES = { type: "u8", axis: integer(0, 256) } as const;
const FLOATS = { type: "f32", axis: regular(100, 0, 1) } as const;

let right: Engine;
let device: GPUDevice;
let of: WebgpuDevice;
const unnoticed: string[] = [];
beforeAll(async () => {
  right = await openEngine({ backend: cpu() });
  if (reason !== null) return;
  device = await userDevice();
  device.addEventListener("uncapturederror", ({ error }) => unnoticed.push(error.message));
  of = new WebgpuDevice(new Hardware(device, () => {}), deviceLimits(device));
});
afterAll(async () => {
  await of?.close();
  device?.destroy();
  await right.close();
  expect(unnoticed).toEqual([]);
});

function prepared(
  what: { readonly type: SampleType; readonly axis: OrderedAxis },
  pixels: number,
  channels = [0],
  interleaved = 1,
): Prepared {
  const { type, axis } = what;
  const lowering = lower(axis, type);
  const request = { algorithm: "per-lane", column: { type, lowering }, samples: pixels };
  const planned = plan({ ...request, channels: channels.length }, of.limits);
  const job = { type, interleaved, channels, axis, lowering, plan: planned };
  return of.prepare<"channels">({ kind: "channels", ...job });
}

async function resident(
  data: Uint8Array | Float32Array,
  channels = 1,
): Promise<Input & { kind: "resident" }> {
  return { kind: "resident", resident: await of.upload(samples({ data, channels }), {}) };
}

/** Counts, underflow, overflow, NaN. */
const flat = ({ channels }: ChannelsPart) => channels.map(({ cells, flow }) => [...cells, ...flow]);

async function wanted(
  data: Uint8Array | Float32Array,
  { axis }: { axis: typeof FLOATS.axis | typeof BYTES.axis },
) {
  const { counts, underflow, overflow, nan } = await right.histogram(data, { axis });
  return [...counts, underflow, overflow, nan];
}

describe("calls over residents", () => {
  needsDevice("give the same again, after many more than there is room for the counts of", async () => {
    const data = bytes.subarray(0, 5000);
    const job = prepared(BYTES, 1250, [0, 1, 2, 3], 4);
    const input = await resident(data, 4);
    const channels = [0, 1, 2, 3].map((at) => data.filter((_, i) => i % 4 === at));
    const right = await Promise.all(channels.map((channel) => wanted(channel, BYTES)));
    // The buffer for counts in flight holds 240 calls of 4,352 bytes each.
    for (let i = 0; i < 260; i++) {
      const found = flat(await job.count(input, {}));
      if (i % 50 === 0 || i > 235) expect(found).toEqual(right);
    }
    await input.resident.free();
    await expect(job.count(input, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  needsDevice("128 at once, of two jobs, and one that is freed meanwhile", async () => {
    const a = prepared(BYTES, bytes.length);
    const b = prepared(FLOATS, floats.length);
    const [x, y] = [await resident(bytes), await resident(floats)];
    const all = Array.from({ length: 128 }, (_, i) => (i % 2 === 0 ? a.count(x, {}) : b.count(y, {})));
    const more = await resident(bytes);
    const last = a.count(more, {}).then(flat, ({ code }) => code);
    const freed = more.resident.free();
    const rights = [[await wanted(bytes, BYTES)], [await wanted(floats, FLOATS)]];
    for (const [i, found] of (await Promise.all(all)).entries()) expect(flat(found)).toEqual(rights[i % 2]);
    // The resident either existed at submission or it did not.
    expect([rights[0], "ERR_INPUT"]).toContainEqual(await last);
    await freed;
  });

  needsDevice("an abort before a call is the call's alone", async () => {
    const job = prepared(BYTES, bytes.length);
    const input = await resident(bytes);
    const reason = new Error("enough");
    const aborted = job.count(input, { signal: AbortSignal.abort(reason) });
    const found = job.count(input, {});
    await expect(aborted).rejects.toBe(reason);
    expect(flat(await found)).toEqual([await wanted(bytes, BYTES)]);
    await expect(job.countAll!([input, input], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  needsDevice("times are 0 unless they are asked for", async () => {
    const job = prepared(BYTES, bytes.length);
    const input = await resident(bytes);
    expect((await job.count(input, {})).timings.kernelMs).toBe(0);
    const { timings, ...found } = await job.count(input, { timed: true });
    expect(flat({ timings, ...found })).toEqual([await wanted(bytes, BYTES)]);
    const data = samples(bytes);
    expect((await job.count({ kind: "samples", samples: data }, {})).timings.kernelMs).toBe(0);
  });

  needsDevice("in one submission: each by itself, in order, however many there are", async () => {
    const job = prepared(BYTES, bytes.length);
    const parts = Array.from({ length: 7 }, (_, i) => bytes.map((byte) => byte + 17 * i));
    const inputs = await Promise.all(parts.map((part) => resident(part)));
    const right = await Promise.all(parts.map(async (part) => [await wanted(part, BYTES)]));
    for (const count of [1, 2, 7, 300]) {
      const some = Array.from({ length: count }, (_, i) => inputs[i % 7]!);
      const found = await job.countAll!(some, {});
      expect(found).toHaveLength(count);
      for (const [i, one] of found.entries()) expect(flat(one)).toEqual(right[i % 7]);
    }
    expect(await job.countAll!([], {})).toEqual([]);
    const { submit } = device.queue;
    let submitted = 0;
    device.queue.submit = (commands) => {
      submitted++;
      submit.call(device.queue, commands);
    };
    await job.countAll!(inputs, {});
    expect(submitted).toBe(1);
    await job.countAll!(
      Array.from({ length: 65 }, () => inputs[0]!),
      {},
    );
    device.queue.submit = submit;
    expect(submitted).toBe(3);
    const mixed = await job.countAll!([inputs[1]!, { kind: "samples", samples: samples(parts[2]!) }], {});
    expect(mixed.map(flat)).toEqual([right[1], right[2]]);
    await inputs[3]!.resident.free();
    await expect(job.countAll!(inputs, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  needsDevice("counts that are larger than the room for those in flight", async () => {
    const axis = integer(0, 65_536);
    const shorts = Uint16Array.from({ length: 5000 }, (_, i) => i * i);
    const job = prepared({ type: "u16", axis }, 1250, [0, 1, 2, 3], 4);
    const input: Input = {
      kind: "resident",
      resident: await of.upload(samples({ data: shorts, channels: 4 }), {}),
    };
    const right = [0, 1, 2, 3].map((at) => {
      const counts = new Float64Array(65_536);
      for (const [i, sample] of shorts.entries()) if (i % 4 === at) counts[sample]! += 1;
      return counts;
    });
    for (const { channels } of [await job.count(input, {}), ...(await job.countAll!([input, input], {}))]) {
      const wrong = channels.map(({ cells }, at) => cells.findIndex((count, i) => count !== right[at]![i]));
      expect(wrong).toEqual([-1, -1, -1, -1]);
    }
  });

  needsDevice("what the device refuses fails one call, and no other", async () => {
    const { STORAGE, COPY_SRC, COPY_DST, MAP_READ, UNIFORM } = USAGE;
    for (const usage of [STORAGE | COPY_SRC | COPY_DST, MAP_READ | COPY_DST, UNIFORM]) {
      const own = await userDevice();
      const lost: string[] = [];
      own.addEventListener("uncapturederror", ({ error }) => lost.push(error.message));
      const engine = new WebgpuDevice(new Hardware(own, () => {}), deviceLimits(own));
      const lowering = lower(BYTES.axis, "u8");
      const request = { algorithm: "per-lane", column: { type: "u8" as const, lowering }, channels: 1 };
      const planned = plan({ ...request, samples: bytes.length }, engine.limits);
      const shape = { interleaved: 1, channels: [0], lowering, plan: planned };
      const job = engine.prepare<"channels">({ kind: "channels", ...BYTES, ...shape });
      const input: Input = { kind: "resident", resident: await engine.upload(samples(bytes), {}) };
      const { createBuffer } = own;
      let refused = 0;
      own.createBuffer = (made) => {
        if (made.usage !== usage || refused > 0) return createBuffer.call(own, made);
        refused++;
        return createBuffer.call(own, { ...made, usage: MAP_READ | USAGE.MAP_WRITE });
      };
      await expect(job.count(input, {})).rejects.toMatchObject({ name: "PolybinError" });
      expect(refused).toBe(1);
      expect(flat(await job.count(input, {}))).toEqual([await wanted(bytes, BYTES)]);
      expect(lost).toEqual([]);
      await engine.close();
      own.destroy();
    }
  });
});

describe("counts that stay on the device", () => {
  needsDevice("are those of all inputs: residents, host memory, again and again", async () => {
    const job = prepared(FLOATS, floats.length);
    const counts = job.accumulator!();
    const input = await resident(floats);
    const once = await wanted(floats, FLOATS);
    expect(flat(await counts.take({}))).toEqual([once.map(() => 0)]);
    for (let i = 0; i < 40; i++) await counts.add(input, {});
    await counts.add({ kind: "samples", samples: samples(floats) }, {});
    await Promise.all([counts.add(input, {}), counts.add(input, {})]);
    expect(flat(await counts.take({}))).toEqual([once.map((count) => 43 * count)]);
    await counts.add(input, {});
    const [first, second] = await Promise.all([counts.take({}), counts.take({})]);
    expect(flat(first)).toEqual([once]);
    expect(flat(second)).toEqual([once.map(() => 0)]);
    await counts.free();
    await counts.free();
    await expect(counts.add(input, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  needsDevice("of an input that fails, nothing", async () => {
    const job = prepared(BYTES, bytes.length);
    const counts = job.accumulator!();
    const input = await resident(bytes);
    await counts.add(input, {});
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(counts.add(input, { signal: aborted })).rejects.toThrow("enough");
    const host: Input = { kind: "samples", samples: samples(bytes) };
    await expect(counts.add(host, { signal: aborted })).rejects.toThrow("enough");
    const freed = await resident(bytes);
    await freed.resident.free();
    await expect(counts.add(freed, {})).rejects.toMatchObject({ code: "ERR_INPUT" });
    expect(flat(await counts.take({}))).toEqual([await wanted(bytes, BYTES)]);
    await counts.free();
  });

  needsDevice(
    "are read before they are full; what comes in parts is added when all of it is there",
    async () => {
      const hardware = new Hardware(device, () => {});
      const limits = { ...deviceLimits(device), partBytes: 1024 };
      const context = new Context(hardware, limits, new Catalog());
      const lowering = lower(BYTES.axis, "u8");
      const request = { algorithm: "per-lane", column: { type: "u8" as const, lowering }, channels: 1 };
      const planned = plan({ ...request, samples: bytes.length }, limits);
      const shape = { channels: [0], interleaved: 1, lowering, plan: planned };
      const steps = prepareChannels(shape, context.catalog, limits);
      const counts = new DeviceAccumulator(context, steps, 2 * bytes.length + 1);
      const input = await resident(bytes);
      const once = await wanted(bytes, BYTES);
      for (let i = 0; i < 5; i++) await counts.add(input, {});
      await Promise.all(Array.from({ length: 6 }, () => counts.add(input, {})));
      const host: Input = { kind: "samples", samples: samples(bytes) };
      await counts.add(host, {});
      const stop = new AbortController();
      const stopped = counts.add(host, {
        signal: stop.signal,
        onProgress: () => stop.abort(new Error("enough")),
      });
      await expect(stopped).rejects.toThrow("enough");
      expect(flat(await counts.take({}))).toEqual([once.map((count) => 12 * count)]);
      await counts.free();
      context.close();
    },
  );
});
