import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Backend,
  cpu,
  type Engine,
  fileSamples,
  type Histogram,
  openEngine,
  regular,
} from "@polybin/core";
import type { Device } from "@polybin/core/backend";
import { piscina } from "@polybin/piscina";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { poolLimits } from "../src/platform/limits.ts";
import { killableWorkers } from "./killable.ts";

const SIZE = 5_000_003;
const bytes = new Uint8Array(SIZE).map((_, i) => (i * 2_654_435_761) >>> 24);
const sharedBytes = new Uint8Array(new SharedArrayBuffer(SIZE));
sharedBytes.set(bytes);
let truth: Histogram;
let folder: string;
let file: string;
let engine: Engine;

beforeAll(async () => {
  const oracle = await openEngine({ backend: cpu() });
  truth = await oracle.histogram(bytes, { algorithm: "sequential" });
  await oracle.close();
  folder = mkdtempSync(join(tmpdir(), "polybin-piscina-"));
  file = join(folder, "bytes");
  writeFileSync(file, bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  engine = await openEngine({ backend: piscina({ threads: 2 }) });
});
afterEach(() => engine.close());

const exact = (histogram: Histogram) => expect(histogram.counts).toEqual(truth.counts);

describe("every algorithm", () => {
  for (const { slug: algorithm } of piscina().algorithms) {
    it(`${algorithm}: shared memory, plain memory, a file`, async () => {
      exact(await engine.histogram(sharedBytes, { algorithm }));
      exact(await engine.histogram(bytes, { algorithm }));
      exact(await engine.histogram(fileSamples({ path: file, bytes: SIZE }), { algorithm }));
    });
  }
});

it.each([
  [{ workers: 2 }, "did you mean threads? received workers"],
  [{ thread: undefined }, "did you mean threads? received thread"],
  [2, "an object for options but received 2"],
  [[2], "an object for options but received a list of 1"],
  [null, "an object for options but received null"],
])("options with a slip of the pen are refused: %j", (options, message) => {
  expect(() => piscina(options as never)).toThrow(
    expect.objectContaining({ code: "ERR_INPUT", message: expect.stringContaining(message) }),
  );
});

it("counts pairs of samples in long inputs, for any data and any start", async () => {
  const plan = (await engine.histogram(sharedBytes)).plan!;
  expect(plan).toMatchObject({ algorithm: "per-lane", own: { grouping: 2 }, replicas: 2 });
  for (const start of [1, 2, 3]) {
    const part = await engine.histogram(sharedBytes.subarray(start));
    expect(part.sum()).toBe(SIZE - start);
    expect((await engine.histogram(bytes.subarray(start), { algorithm: "per-thread" })).counts).toEqual(
      part.counts,
    );
  }
});

describe("files", () => {
  it("reads a part of a file", async () => {
    const part = await engine.histogram(fileSamples({ path: file, bytes: 1001, offset: 77 }));
    const same = await engine.histogram(bytes.subarray(77, 1078));
    expect(part.counts).toEqual(same.counts);
  });

  it("finds the range of floats in a file", async () => {
    const floats = Float64Array.from({ length: 100_001 }, (_, i) => Math.sin(i));
    const path = join(folder, "floats");
    writeFileSync(path, floats);
    const fromFile = await engine.histogram(fileSamples({ path, bytes: floats.byteLength, type: "f64" }), {
      bins: 99,
    });
    const fromMemory = await engine.histogram(floats, { bins: 99 });
    expect(fromFile.edges).toEqual(fromMemory.edges);
    expect(fromFile.counts).toEqual(fromMemory.counts);
  });

  it("refuses a missing file, a folder, and a file that is shorter than described", async () => {
    const count = (path: string, length: number) => engine.histogram(fileSamples({ path, bytes: length }));
    await expect(count(join(folder, "none"), 1)).rejects.toMatchObject({
      code: "ERR_INPUT",
      backend: "piscina",
    });
    await expect(count(folder, 1)).rejects.toMatchObject({ code: "ERR_INPUT" });
    await expect(count(file, SIZE + 1)).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("gives an error and no counts when the file is cut while it is read", async () => {
    const path = join(folder, "cut");
    writeFileSync(path, bytes);
    onceChecked(() => truncateSync(path, 10));
    const axis = regular(3, 0, 256);
    const counting = engine.histogram(fileSamples({ path, bytes: SIZE }), { axis });
    await expect(counting).rejects.toMatchObject({ code: "ERR_INPUT" });
    exact(await engine.histogram(bytes));
  });
});

/** The pool, with an action that runs once it has found the extent of a file. */
function onceFound(happens: () => void): Backend {
  const pool = piscina({ threads: 2 });
  const open = async (): Promise<Device> => {
    const device = await pool.open();
    return {
      name: device.name,
      limits: device.limits,
      readsFiles: true,
      upload: (...of) => device.upload(...of),
      extent: async (...of) => {
        const extent = await device.extent(...of);
        happens();
        return extent;
      },
      prepare: (job) => device.prepare(job),
      close: () => device.close(),
    };
  };
  return { ...pool, open };
}

/** Lets something happen once, after a call has opened and checked its file, and before a byte is read. */
function onceChecked(happens: () => void): void {
  const { promises } = process.getBuiltinModule("node:fs");
  const { open } = promises;
  const opening = vi.spyOn(promises, "open").mockImplementationOnce(async (...of) => {
    opening.mockRestore();
    const file = await open(...of);
    const stat = file.stat.bind(file);
    vi.spyOn(file, "stat").mockImplementationOnce(async (...how) => {
      const state = await stat(...how);
      happens();
      return state;
    });
    return file;
  });
}

describe("a file that changes", () => {
  const floats = Float64Array.from({ length: 700_001 }, (_, i) => i % 1000);
  const LATER = 4e9;
  const changes: readonly (readonly [what: string, change: (path: string) => void, refused: boolean])[] = [
    ["is cut to nothing", (path) => truncateSync(path, 0), true],
    ["is cut", (path) => truncateSync(path, 4_000_000), true],
    [
      "is written to",
      (path) => {
        writeFileSync(
          path,
          floats.map((x) => 3 * x),
        );
        utimesSync(path, LATER, LATER);
      },
      true,
    ],
    [
      "makes way for another one",
      (path) => {
        writeFileSync(
          `${path}-new`,
          floats.map((x) => 3 * x),
        );
        renameSync(`${path}-new`, path);
      },
      true,
    ],
    ["grows behind what was promised", (path) => appendFileSync(path, "12345678"), false],
  ];
  for (const [what, change, refused] of changes) {
    it(`${what} between two passes: ${refused ? "refused" : "counted"}`, async () => {
      const path = join(folder, "changing");
      writeFileSync(path, floats);
      await using changing = await openEngine({ backend: onceFound(() => change(path)) });
      const input = fileSamples({ path, bytes: floats.byteLength, type: "f64" });
      const counting = changing.histogram(input, { bins: 10 });
      if (refused) await expect(counting).rejects.toMatchObject({ code: "ERR_INPUT", backend: "piscina" });
      else expect((await counting).counts).toEqual((await engine.histogram(floats, { bins: 10 })).counts);
    });
  }

  it("is written to while it is counted: refused", async () => {
    const path = join(folder, "rewritten");
    const many = new Uint8Array(2 ** 22);
    writeFileSync(path, many);
    onceChecked(() => {
      writeFileSync(path, many.subarray(0, 1), { flag: "r+" });
      utimesSync(path, LATER, LATER);
    });
    const counting = engine.histogram(fileSamples({ path, bytes: many.length }), { algorithm: "global" });
    await expect(counting).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("it was changed"),
    });
    // A new call sees the current file.
    expect((await engine.histogram(fileSamples({ path, bytes: many.length }))).sum()).toBe(many.length);
  });
});

describe("failures", () => {
  it("gives an error and no counts when memory is taken away while it is copied", async () => {
    const axis = regular(3, 0, 256);
    for (const when of ["at once", "later"]) {
      for (const take of [(of: ArrayBuffer) => of.resize(10), (of: ArrayBuffer) => void of.transfer()]) {
        const data = new ArrayBuffer(2 ** 25, { maxByteLength: 2 ** 25 });
        let left = 1;
        const taking = () => left-- === 1 && take(data);
        const counting = engine.histogram(data, { axis, onProgress: when === "later" ? taking : undefined });
        if (when === "at once") taking();
        await expect(counting).rejects.toMatchObject({ code: "ERR_INPUT", backend: "piscina" });
      }
    }
    exact(await engine.histogram(bytes));
  });

  it("fails with ERR_WORKER when workers die, loses nothing, and goes on with new ones", async () => {
    const kill = await killableWorkers();
    try {
      const victim = await openEngine({ backend: piscina({ threads: 2 }) });
      // A call waits for workers that load only if no other thread can count its samples.
      exact(await victim.histogram(fileSamples({ path: file, bytes: SIZE })));
      const slow = new Uint8Array(new SharedArrayBuffer(2 ** 27));
      const counting = victim.histogram(slow, { algorithm: "global" });
      const failed = expect(counting).rejects.toMatchObject({ code: "ERR_WORKER", backend: "piscina" });
      await kill.all();
      await failed;
      exact(await victim.histogram(sharedBytes));
      await victim.close();
    } finally {
      kill.restore();
    }
  });

  it("stops when aborted, and is exact afterwards", async () => {
    const controller = new AbortController();
    const counting = engine.histogram(sharedBytes, {
      algorithm: "global",
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    });
    await expect(counting).rejects.toThrow("enough");
    for (const algorithm of engine.algorithms) exact(await engine.histogram(sharedBytes, { algorithm }));
  });

  it("lets any number of calls wait, including calls on files", { timeout: 60_000 }, async () => {
    const part = fileSamples({ path: file, bytes: 3 });
    const calls = Array.from({ length: 2000 }, (_, i) =>
      engine.histogram(i % 2 ? bytes.subarray(0, 3) : part),
    );
    expect((await Promise.all(calls)).every((h) => h.sum() === 3)).toBe(true);
  });

  it("lets as many calls wait as the user allows", async () => {
    await using few = await openEngine({ backend: piscina({ threads: 2 }), maxQueue: 5 });
    const many = poolLimits.jobsAtOnce + 5 + 1;
    const calls = await Promise.allSettled(
      // Fewer bytes would be counted at once.
      Array.from({ length: many }, () => few.histogram(bytes)),
    );
    const refused = calls.filter((call) => call.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]!.reason).toMatchObject({ code: "ERR_LIMIT", backend: "piscina" });
  });

  it("rejects a waiting call at once when it is aborted, and no other call waits for it", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const slow = new Uint8Array(new SharedArrayBuffer(2 ** 25));
    let ended = 0;
    const first = Array.from({ length: poolLimits.jobsAtOnce }, async () => {
      await engine.histogram(slow, { algorithm: "global" });
      ended++;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = [
      engine.histogram(bytes, { signal }),
      engine.extent(bytes, { signal }),
      engine.histogram(sharedBytes, { signal }),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    const last = engine.histogram(sharedBytes);
    controller.abort("enough");
    const settled = await Promise.allSettled(waiting);
    expect(settled).toEqual(waiting.map(() => ({ status: "rejected", reason: "enough" })));
    expect(ended).toBe(0);
    exact(await last);
    await Promise.all(first);
  });

  it("refuses an invalid number of threads", () => {
    for (const threads of [0, -1, 1.5, Number.NaN]) {
      expect(() => piscina({ threads })).toThrowError(expect.objectContaining({ code: "ERR_INPUT" }));
    }
    expect(() => piscina({ threads: 257 })).toThrowError(expect.objectContaining({ code: "ERR_LIMIT" }));
    expect(() => piscina(null as never)).toThrowError(expect.objectContaining({ code: "ERR_INPUT" }));
    expect(piscina(Object.create({ threads: 0 }) as object).id, "inherited").toBe("piscina");
  });
});

it("reports progress up to the end", async () => {
  for (const input of [sharedBytes, bytes]) {
    const seen: number[] = [];
    await engine.histogram(input, {
      algorithm: "global",
      onProgress: ({ done, total }) => seen.push(done / total!),
    });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  }
});

it("waits until its threads have loaded before it ends them", async () => {
  const ended: number[] = [];
  const watch = (worker: import("node:worker_threads").Worker) => {
    let words = 0;
    worker.on("message", () => words++);
    worker.on("exit", () => ended.push(words));
  };
  process.on("worker", watch);
  await (await openEngine({ backend: piscina({ threads: 3 }) })).close();
  process.off("worker", watch);
  expect(ended).toEqual([1, 1, 1]);
});

it("lets the process exit after close", () => {
  const program = `
    import { openEngine } from "@polybin/core";
    import { piscina } from "@polybin/piscina";
    const engine = await openEngine({ backend: piscina({ threads: 2 }) });
    const { counts } = await engine.histogram(new Uint8Array(10));
    await engine.close();
    console.log(counts[0]);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(stderr).toBe("");
  expect(stdout).toBe("10\n");
  expect(status).toBe(0);
});

it("a named pipe without a writer is refused at once, and holds no thread", async ({ skip }) => {
  if (process.platform === "win32") return skip("Windows has no named pipes in folders");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const calls = Array.from({ length: 8 }, () => engine.histogram(fileSamples({ path: pipe, bytes: 10 })));
  // All promises are awaited at once. A promise that rejects before it is awaited would be an unhandled rejection.
  await Promise.all(
    calls.map((call) =>
      expect(call).rejects.toMatchObject({
        code: "ERR_INPUT",
        message: expect.stringContaining("expected a regular file"),
      }),
    ),
  );
});
