import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  cpu,
  type Engine,
  fileSamples,
  integer,
  type JointHistogram,
  type JointOptions,
  openEngine,
  regular,
  variable,
} from "@polybin/core";
import {
  type CellsJob,
  type CellsPlan,
  type Input,
  jointPlanOrReason,
  limits,
  lower,
  samples,
} from "@polybin/core/backend";
import { piscina } from "@polybin/piscina";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCK_SAMPLES } from "../src/counting/index.ts";
import { poolLimits, WORKER_CHUNK_BYTES } from "../src/platform/limits.ts";
import { killableWorkers } from "./killable.ts";

/** More than the calling thread counts itself, and an odd tail. */
const N = 300_007;
const UNIT = regular(100, 0, 1);
const BYTES = integer(0, 256);

let engine: Engine;
let oracle: Engine;

beforeAll(async () => {
  engine = await openEngine({ backend: piscina({ threads: 2 }) });
  oracle = await openEngine({ backend: cpu() });
});
afterAll(async () => {
  await engine.close();
  await oracle.close();
});

type Columns = Parameters<Engine["joint"]>[0];

/** Compares a call with the same one on core's CPU. @returns the number of masked samples */
async function exact(columns: Columns, options: JointOptions, of: Engine = engine): Promise<number> {
  const found = await joint(of, columns, options);
  const expected = await joint(oracle, columns, { ...options, algorithm: "sequential" });
  expect(found.extents).toEqual(expected.extents);
  // Numbers of cells that a comparison one by one would take seconds for.
  expect(Buffer.from(found.cells.buffer).equals(Buffer.from(expected.cells.buffer))).toBe(true);
  expect(found.masked).toBe(expected.masked);
  expect(found.algorithm).toBe("fused");
  return found.masked;
}

async function joint(of: Engine, columns: Columns, options: JointOptions): Promise<JointHistogram> {
  return (await of.joint(columns as never, options)) as JointHistogram;
}

type Make = (bytes: number) => ArrayBufferLike;

const floats = (make: Make, scale: number, n = N): Float32Array =>
  new Float32Array(make(n * 4)).map((_, i) => (i % 977 === 0 ? Number.NaN : Math.sin(i * scale) * 0.6 + 0.5));
const bytes = (make: Make, by: number, n = N): Uint8Array =>
  new Uint8Array(make(n)).map((_, i) => Math.imul(i, by) >>> 24);

// `map` makes ordinary memory, so the numbers are copied to the memory that is tested.
function inMemory<T extends Float32Array | Uint8Array>(make: Make, values: T): T {
  const own = new (values.constructor as new (buffer: ArrayBufferLike) => T)(make(values.byteLength));
  own.set(values);
  return own;
}

const ordinary: Make = (size) => new ArrayBuffer(size);
const shared: Make = (size) => new SharedArrayBuffer(size);

describe.each([
  ["ordinary memory", ordinary],
  ["shared memory", shared],
])("columns in %s", (_, make) => {
  const x = inMemory(make, floats(ordinary, 0.37));
  const y = inMemory(make, floats(ordinary, 1.7));
  const u = inMemory(make, bytes(ordinary, 2_654_435_761));
  const v = inMemory(make, bytes(ordinary, 40_503));

  it("of floats and of bytes are counted by workers", async () => {
    await exact([x, y], { axes: [UNIT, UNIT] });
    await exact([u, v], { axes: [BYTES, BYTES] });
    await exact([u, x], { axes: [regular(10, 3, 70.5), variable([-1, 0, 0.1, 0.11, 0.5, 9])] });
    await exact([u, v, u, v], { axes: [16, 8, 4, 2].map((bins) => regular(bins, 0, 256)) });
  });

  it("are masked by bytes and bits, and selected by indices", async () => {
    const mask = inMemory(make, bytes(ordinary, 97)).map((byte) => byte & 1);
    const bits = inMemory(make, bytes(ordinary, 1_000_003, Math.ceil(N / 8)));
    const where = Uint32Array.from({ length: 200_001 }, (_, i) => (i * 7919) % N);
    for (const columns of [
      [x, y],
      [u, v],
    ]) {
      const axes = columns[0] === x ? [UNIT, UNIT] : [BYTES, BYTES];
      for (const selection of [
        { mask },
        { mask: { bits } },
        { where },
        { where, mask },
        { where, mask: { bits } },
      ]) {
        const masked = await exact(columns, { axes, ...selection });
        expect(masked > 0).toBe("mask" in selection);
      }
    }
    await exact([u, v], { axes: [BYTES, BYTES], mask: new Uint8Array(N) });
    await exact([u, v], { axes: [BYTES, BYTES], mask: new Uint8Array(N).fill(255) });
  });

  it("are channels and regions of one picture", async () => {
    const data = u.subarray(1, 1 + 300 * 999);
    const axes = [0, 1, 2].map(() => regular(16, 0, 256));
    await exact({ data, channels: 3 } as never, { channels: [0, 1, 2], axes });
    const picture = { data, channels: 3, width: 333, height: 300, rowPitch: 999 } as const;
    const region = { ...picture, region: { x: 3, y: 5, width: 301, height: 290 } };
    await exact(region as never, { channels: [2, 0], axes: axes.slice(1) });
    const where = Uint32Array.from({ length: 140_001 }, (_, i) => (i * 7919) % (301 * 290));
    await exact(region as never, { channels: [2, 0], axes: axes.slice(1), where });
  });
});

describe("a joint count", () => {
  const x = floats(ordinary, 0.37);
  const u = bytes(ordinary, 2_654_435_761);

  it("mixes shared and ordinary memory, and columns of the same input", async () => {
    const mask = bytes(ordinary, 97).map((byte) => byte & 1);
    await exact([x, inMemory(shared, u), x], { axes: [UNIT, BYTES, regular(5, 0, 1)], mask });
  });

  it("of one column reads files, and channels one after another", async () => {
    const folder = mkdtempSync(join(tmpdir(), "polybin-joint-"));
    const path = join(folder, "x");
    writeFileSync(path, x);
    const file = fileSamples({ path, bytes: x.byteLength, type: "f32" });
    const options = { axis: UNIT, algorithm: "fused" } as const;
    const expected = await oracle.histogram(x, { axis: UNIT });
    for (const input of [file, x, x.subarray(0)]) {
      expect((await engine.histogram(input, options)).counts).toEqual(expected.counts);
    }
    const channels = await engine.histograms(
      { data: u.subarray(0, 3 * 99_999), channels: 3 },
      { algorithm: "fused" },
    );
    const other = await oracle.histograms({ data: u.subarray(0, 3 * 99_999), channels: 3 }, {});
    expect(channels.map(({ counts }) => counts)).toEqual(other.map(({ counts }) => counts));
    writeFileSync(path, x.subarray(0, 1000));
    await expect(engine.histogram(file, options)).rejects.toMatchObject({ code: "ERR_INPUT" });
    rmSync(folder, { recursive: true });
  });

  it("shares one table among workers if tables of their own would need much memory", async () => {
    const device = await piscina({ threads: 2 }).open();
    const lowerings = [lower(BYTES, "u8"), lower(regular(300, 0, 1), "f32")];
    const request = { columns: lowerings, samples: N, mask: "bytes", listed: false } as const;
    const own = jointPlanOrReason("fused", request, device.limits) as CellsPlan;
    const plan = jointPlanOrReason("fused", request, {
      ...device.limits,
      units: limits.MAX_THREADS,
    }) as CellsPlan;
    expect([own.table, plan.table]).toEqual(["replicas", "global"]);
    const columns = [u, x].map((data): Input => ({ kind: "samples", samples: samples({ data }) }));
    const inputs = { columns, mask: columns[0]!, where: null, samples: N };
    const axes = [BYTES, regular(300, 0, 1)] as const;
    const counts = [own, plan].map(async (of) => {
      const job: CellsJob = {
        kind: "cells",
        columns: lowerings.map((lowering, k) => {
          return { type: lowering.type, interleaved: 1, channel: 0, axis: axes[k]!, lowering };
        }),
        plan: of,
      };
      const { cells, masked } = await (await device.prepare(job)).count(inputs, {});
      return { cells: Buffer.from(cells.buffer), masked };
    });
    const [first, second] = await Promise.all(counts);
    expect(second!.cells.equals(first!.cells)).toBe(true);
    expect(second!.masked).toBe(first!.masked);
    await device.close();
    await exact([u, x], { axes: [...axes], mask: u });
  });

  it("of many threads takes memory that WebAssembly has", () => {
    const { piecesPerThread, cellMemoryBytes } = poolLimits;
    expect(limits.MAX_THREADS * piecesPerThread * WORKER_CHUNK_BYTES).toBeLessThanOrEqual(cellMemoryBytes);
  });

  it("has any size around blocks, and any number of columns (property)", async () => {
    const arrays = { f32: x, u8: u, f64: Float64Array.from(x), i32: Int32Array.from(u, (byte) => byte - 99) };
    const kinds = fc.constantFrom(...(Object.keys(arrays) as (keyof typeof arrays)[]));
    const bins = fc.integer({ min: 1, max: 9 });
    const sizes = fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: -17, max: 17 }).map((off) => 3 * BLOCK_SAMPLES + off),
      fc.integer({ min: poolLimits.aloneBytes, max: poolLimits.aloneBytes + 99 }),
    );
    const columns = fc.array(fc.tuple(kinds, bins, fc.integer({ min: 0, max: 3 })), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(sizes, columns, fc.integer({ min: 0, max: 3 }), async (n, chosen, selection) => {
        const data = chosen.map(([kind, , from]) => arrays[kind].subarray(from, from + n));
        const axes = chosen.map(([kind, count]) => {
          if (kind === "u8") return count % 2 ? regular(2 ** (count % 5), 0, 256) : regular(count, 5, 200);
          return kind === "i32" ? integer(-count, 90) : regular(count, -0.05, 1.05);
        });
        const mask = selection & 1 ? { mask: { bits: u.subarray(0, Math.ceil(n / 8)) } } : {};
        const where = selection & 2 ? { where: Uint32Array.from({ length: n }, (_, i) => (i * 31) % n) } : {};
        await exact(data as Columns, { axes, ...mask, ...where });
      }),
      { seed: Number(process.env.POLYBIN_SEED ?? 1), numRuns: 20 * Number(process.env.POLYBIN_RUNS ?? 1) },
    );
  });

  it("stops when aborted, reports progress, and is exact afterwards", async () => {
    const long = inMemory(shared, bytes(ordinary, 40_503, 2 ** 25));
    const axes = [BYTES, BYTES];
    const seen: number[] = [];
    await engine.joint([long, long], {
      axes,
      onProgress: ({ done, total }) => void seen.push(done / total!),
    });
    expect(seen.at(-1)).toBe(1);
    const controller = new AbortController();
    const counting = engine.joint([long, long], { axes, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 3);
    await expect(counting).rejects.toThrow("enough");
    await expect(engine.joint([x, u], { axes, signal: AbortSignal.abort("at once") })).rejects.toBe(
      "at once",
    );
    await exact([u, u], { axes });
  });

  it("counts several calls at once, each in memory of its own", async () => {
    const calls = Array.from({ length: 9 }, (_, i) => {
      return exact([x.subarray(i), u.subarray(i)], { axes: [regular(10 + i, 0, 1), BYTES] });
    });
    expect(await Promise.all(calls)).toEqual(new Array(9).fill(0));
  });

  it("fails with ERR_WORKER when workers die, loses nothing, and goes on with new ones", async () => {
    const kill = await killableWorkers();
    try {
      await using victim = await openEngine({ backend: piscina({ threads: 2 }) });
      await exact([x, u], { axes: [UNIT, BYTES] }, victim);
      const slow = new Uint8Array(new SharedArrayBuffer(2 ** 27));
      const counting = victim.joint([slow, slow], { axes: [BYTES, BYTES] });
      const failed = expect(counting).rejects.toMatchObject({ code: "ERR_WORKER", backend: "piscina" });
      await kill.all();
      await failed;
      await exact([x, u], { axes: [UNIT, BYTES] }, victim);
    } finally {
      kill.restore();
    }
  });

  it("gives an error and no counts if the memory no longer exists, and continues", async () => {
    const memory = new ArrayBuffer(N * 4, { maxByteLength: N * 4 });
    const gone = new Float32Array(memory);
    gone.set(x);
    const counting = engine.joint([gone, u], { axes: [UNIT, BYTES] });
    memory.resize(1000);
    await expect(counting).rejects.toMatchObject({ code: "ERR_INPUT" });
    await exact([x, u], { axes: [UNIT, BYTES] });
  });

  it("is refused with a sentence for algorithms that count one column", async () => {
    const others = engine.algorithms.filter((algorithm) => algorithm !== "fused");
    for (const algorithm of others) {
      await expect(engine.joint([x, u], { axes: [UNIT, BYTES], algorithm })).rejects.toMatchObject({
        code: "ERR_UNSUPPORTED",
      });
    }
  });
});
