import { cpu, type Engine, openEngine, regular, type TableSums } from "@polybin/core";
import { limits as core } from "@polybin/core/backend";
import { piscina } from "@polybin/piscina";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { poolLimits } from "../src/platform/limits.ts";
import { launchesOf } from "../src/run/prepare/sums.ts";

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine({ backend: piscina({ threads: 2 }) });
});
afterEach(() => engine.close());

/** More than two of a worker's steps. None of them is full. */
const DOCUMENTS = 2 * core.WORKER_WEIGHTED_DOCUMENTS + 4321;
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const weights = (documents: number) => {
  const next = random(7);
  return Float32Array.from({ length: documents }, () => next() * 2 - 1.2);
};
const tableOf = (features: number, bins: number, type: "u4" | "u8" | "u16" = "u8", documents = DOCUMENTS) => {
  const next = random(features);
  const bytes = type === "u4" ? Math.ceil(documents / 2) : documents;
  const values = new (type === "u16" ? Uint16Array : Uint8Array)(features * bytes);
  // Any byte is two half-byte values below 16.
  for (let i = 0; i < values.length; i++) values[i] = next() * next() * (type === "u4" ? 256 : bins);
  return { values, type, features, documents, bins };
};
const same = (got: TableSums, want: TableSums) => {
  for (const name of ["counts", "sums", "sumsOfSquares"] as const) expect(got[name]).toEqual(want[name]);
};

describe("sums of more documents than a step has", () => {
  const shapes = [
    // Four features next to each other and some that remain. 17: a second block. wide: one table per worker.
    { name: "7 features of 256 bins", of: tableOf(7, 256) },
    { name: "17 features of 9 bins", of: tableOf(17, 9, "u8", 70_001) },
    { name: "5 features of 1,024 bins", of: tableOf(5, 1024, "u16", 70_001) },
    { name: "5 features of half bytes", of: tableOf(5, 16, "u4", 1_200_001) },
    { name: "2 features of 65,536 bins", of: tableOf(2, 65_536, "u16") },
  ];
  for (const { name, of } of shapes) {
    it(`${name}: the same as on one thread`, async () => {
      const oracle = await openEngine({ backend: cpu() });
      const [want, got] = [await oracle.table(of), await engine.table(of)];
      const all = weights(of.documents);
      // Dense: a list whose span fits in a worker's chunk. Sparse: a list whose span does not. Even and odd documents
      // alternate in pairs.
      const every = (step: number) =>
        Uint32Array.from({ length: Math.floor(of.documents / step) }, (_, i) => i * step + ((i >>> 1) & 1));
      for (const documents of [undefined, every(2), every(29)]) {
        for (const algorithm of ["weighted-fixed-point", "weighted-collision-free"] as const) {
          for (const squares of [false, true]) {
            same(
              await got.sums(all, { algorithm, squares, documents }),
              await want.sums(all, { squares, documents }),
            );
          }
        }
      }
      await oracle.close();
    });
  }
});

it("keeps count and sum apart in one word when a step is full of the largest weights of either sign", async () => {
  const documents = core.WORKER_WEIGHTED_DOCUMENTS * 2;
  const table = await engine.table({
    values: new Uint8Array(documents * 5),
    features: 5,
    documents,
    bins: 2,
  });
  for (const weight of [1, -1]) {
    const { counts, sums, quantum } = await table.sums(
      new Float32Array(documents).fill(weight * (1 - 2 ** -19)),
    );
    for (let f = 0; f < 5; f++) {
      expect([...counts[f]!]).toEqual([documents, 0]);
      expect([...sums[f]!]).toEqual([weight * (1 - 2 ** -19) * documents, 0]);
    }
    expect(quantum).toBeLessThanOrEqual(2 ** -19);
  }
});

describe("launches", () => {
  const group = (algorithm: string, features: number, bins = 256) => ({
    plan: { algorithm, bins, squares: false } as never,
    features: Array.from({ length: features }, (_, i) => i),
    skip: Array.from({ length: features }, () => null),
  });
  const sizes = (groups: ReturnType<typeof group>[]) =>
    launchesOf({ groups }).map((launch) => launch.map(({ features }) => features.length));

  it("are one if workers have their own tables", () => {
    expect(sizes([group("weighted-fixed-point", 100), group("weighted-collision-free", 3)])).toEqual([
      [100, 3],
    ]);
  });

  it("take bounded shared memory", () => {
    const fit = Math.floor(poolLimits.sharedSumsBytes / (3 * 4 * 65_536));
    const wide = group("weighted-collision", fit + 1, 65_536);
    expect(sizes([wide])).toEqual([[fit], [1]]);
    expect(sizes([group("weighted-collision", 1, 65_536), wide])).toEqual([[1, fit - 1], [2]]);
  });
});

it("times the hybrid's features side by side, each with a time of its own", async () => {
  const table = await engine.table(tableOf(3, 300, "u16"));
  await table.sums(weights(DOCUMENTS), { algorithm: "weighted-hybrid" });
  for (const { ms } of table.choices) {
    expect(Object.keys(ms)).toHaveLength(3);
    for (const time of Object.values(ms)) expect(time).toBeGreaterThan(0);
  }
  // Two methods have a block per feature. The third adds up all features in one block, whose time they share equally.
  expect(new Set(table.choices.flatMap(({ ms }) => Object.values(ms))).size).toBe(3 + 3 + 1);
});

it("refuses to fetch words and to merge sub-histograms", async () => {
  const table = await engine.table(tableOf(1, 200, "u8", 100));
  for (const given of [{ fetch: "word" }, { reduce: "tables" }] as const) {
    const sums = table.sums(weights(100), { algorithm: "weighted-collision-reduced", ...given });
    await expect(sums).rejects.toMatchObject({ code: "ERR_UNSUPPORTED", message: /needs a GPU/ });
  }
});

it("refuses floats if workers would add with atomics, and chooses another algorithm for auto", async () => {
  const table = await engine.table(tableOf(1, 200, "u8", 100));
  for (const algorithm of ["weighted-collision", "weighted-collision-reduced"] as const) {
    const sums = table.sums(weights(100), { algorithm, precision: "fast" });
    await expect(sums).rejects.toMatchObject({ code: "ERR_UNSUPPORTED", message: /atomics have no floats/ });
  }
  const { plans } = await table.sums(weights(100), { precision: "fast" });
  expect(plans[0]!.algorithm).toBe("weighted-collision-free");
});

describe("while it runs", () => {
  const slow = { algorithm: "weighted-collision" } as const;

  it("reports progress in values, up to the end", async () => {
    const table = await engine.table(tableOf(40, 100));
    const seen: number[] = [];
    await table.sums(weights(DOCUMENTS), { ...slow, onProgress: ({ done }) => seen.push(done) });
    expect(seen.at(-1)).toBe(40 * DOCUMENTS);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.some((done) => done > 0 && done < 40 * DOCUMENTS)).toBe(true);
  });

  it("stops when aborted, and is exact afterwards", async () => {
    const of = tableOf(40, 100);
    const table = await engine.table(of);
    const controller = new AbortController();
    let last = 0;
    const sums = table.sums(weights(DOCUMENTS), {
      ...slow,
      signal: controller.signal,
      onProgress: ({ done }) => {
        last = done;
        controller.abort(new Error("enough"));
      },
    });
    await expect(sums).rejects.toThrow("enough");
    expect(last).toBeLessThan(40 * DOCUMENTS);
    const [a, b] = [await table.sums(weights(DOCUMENTS)), await table.sums(weights(DOCUMENTS), slow)];
    same(a, b);
    await table.free();
    await expect(table.sums(weights(DOCUMENTS))).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("fails with ERR_WORKER when workers die, and goes on with new ones", async () => {
    const { Worker } = await import("node:worker_threads");
    const workers = new Set<InstanceType<typeof Worker>>();
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: InstanceType<typeof Worker>, ...message: unknown[]) {
      workers.add(this);
      return Reflect.apply(postMessage, this, message);
    } as typeof postMessage;
    try {
      const victim = await openEngine({ backend: piscina({ threads: 2 }) });
      const table = await victim.table(tableOf(40, 100));
      const all = weights(DOCUMENTS);
      const before = await table.sums(all);
      let started = () => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      const failed = expect(table.sums(all, { ...slow, onProgress: () => started() })).rejects.toMatchObject({
        code: "ERR_WORKER",
        backend: "piscina",
      });
      await running;
      await Promise.all([...workers].map((worker) => worker.terminate()));
      await failed;
      same(await table.sums(all), before);
      same(await table.sums(all, slow), before);
      await victim.close();
    } finally {
      Worker.prototype.postMessage = postMessage;
    }
  });
});

it("adds up weights over more features than a function call may have arguments", {
  timeout: 120_000,
}, async () => {
  const features = 150_000;
  const values = Uint8Array.from({ length: 2 * features }, (_, i) => (i * 7 + (i >> 3)) % 2);
  await using table = await engine.table({ values, features, documents: 2, bins: 2 });
  for (const algorithm of ["weighted-fixed-point", "weighted-collision"] as const) {
    const { sums } = await table.sums(Float32Array.of(1, 2), { algorithm });
    expect(sums).toHaveLength(features);
    const wrong = sums.findIndex((of, i) => {
      const [first, second] = [values[2 * i]!, values[2 * i + 1]!];
      const want = [0, 0];
      want[first]! += 1;
      want[second]! += 2;
      return of[0] !== want[0] || of[1] !== want[1];
    });
    expect(wrong).toBe(-1);
  }
});

describe("whatever the number of workers", { timeout: 60_000 }, () => {
  const THREADS = [1, 2, 3];
  const n = core.WEIGHED_SAMPLES + 4321;
  const next = random(3);
  // 12 orders of magnitude, with either sign.
  const doubles = Float64Array.from({ length: n }, () => (next() - 0.5) * 10 ** (12 * next() - 6));

  it("a weighted histogram has the same bits as one thread's, including flow and squares", async () => {
    const samples = Float32Array.from({ length: n }, () => next() * 1.2 - 0.1);
    const oracle = await openEngine({ backend: cpu() });
    for (const [weights, bins] of [
      [doubles, 5],
      [new Float32Array(doubles), 300],
    ] as const) {
      const options = { weights, squares: true, axis: regular(bins, 0, 1) };
      const want = await oracle.histogram(samples, options);
      for (const threads of THREADS) {
        await using pool = await openEngine({ backend: piscina({ threads }) });
        const got = await pool.histogram(samples, options);
        const names = ["counts", "sums", "sumsOfSquares", "flow", "flowSums", "flowSumsOfSquares"] as const;
        for (const name of names) expect(got[name]).toEqual(want[name]);
      }
    }
    const known = new Float64Array(100_000).fill(0.1).fill(1e6, 77, 78);
    expect((await engine.histogram(new Uint8Array(100_000), { weights: known })).sums[0]).toBe(1009999.9);
    await oracle.close();
  });

  it("two limbs of a table have the same bits as one thread's", async () => {
    const of = tableOf(3, 256, "u8", 100_001);
    const all = doubles.subarray(0, of.documents);
    const oracle = await openEngine({ backend: cpu() });
    const options = { limbs: 2, squares: true } as const;
    const want = await (await oracle.table(of)).sums(all, options);
    for (const threads of THREADS) {
      await using pool = await openEngine({ backend: piscina({ threads }) });
      const got = await (await pool.table(of)).sums(all, options);
      same(got, want);
      expect(got.maxError).toEqual(want.maxError);
    }
    await oracle.close();
  });
});
