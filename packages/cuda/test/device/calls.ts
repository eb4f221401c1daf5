import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, fileSamples, openEngine, regular, type Slug } from "@polybin/core";
import { cuda } from "@polybin/cuda";
import { type Case, check, rejection, rejectsWith } from "./case.ts";
import { bytesOf, cellsOf, checkCells, checkZeros } from "./samples.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Cases of calls: long calls, concurrent calls, calls that are stopped, and calls whose input disappears. */
export const callCases: readonly Case[] = [
  {
    name: "counts past 2^32 in one bin are exact",
    async run({ device }) {
      await using engine = await openEngine({ backend: cuda({ device }) });
      const zeros = new Uint8Array(2 ** 32 + 2 ** 20 + 3);
      checkZeros(await engine.histogram(zeros), zeros.length, "host memory");
      await using resident = await engine.upload(zeros);
      for (const algorithm of ["per-lane", "trish", "per-block"] as const) {
        checkZeros(
          await engine.histogram(resident, { algorithm }),
          zeros.length,
          `a resident by ${algorithm}`,
        );
      }
    },
  },
  {
    name: "four engines at once on one device, with different data, are exact",
    async run({ device }) {
      const algorithms: readonly Slug[] = ["per-lane", "trish", "per-warp", "per-block"];
      await Promise.all(
        algorithms.map(async (algorithm, seed) => {
          await using engine = await openEngine({ backend: cuda({ device }) });
          const bytes = bytesOf(seed, 40 * MIB + seed);
          const cells = cellsOf(bytes);
          const resident = await engine.upload(bytes);
          for (let round = 0; round < 20; round++) {
            checkCells(await engine.histogram(resident, { algorithm }), cells, `a resident by ${algorithm}`);
            checkCells(await engine.histogram(bytes, { algorithm }), cells, `host memory by ${algorithm}`);
          }
        }),
      );
    },
  },
  {
    name: "two engines that launch one kernel with different tables do not take its shared memory from each other",
    async run({ device }) {
      await Promise.all(
        [8192, MIB].map(async (size, seed) => {
          await using engine = await openEngine({ backend: cuda({ device }) });
          const bytes = bytesOf(seed, size);
          const cells = cellsOf(bytes);
          await using resident = await engine.upload(bytes);
          for (let round = 0; round < 2000; round++) {
            checkCells(await engine.histogram(resident), cells, `${size} bytes beside another engine`);
          }
        }),
      );
    },
  },
  {
    name: "one engine counts tables of different lengths in turn, exactly",
    async run({ device }) {
      await using engine = await openEngine({ backend: cuda({ device }) });
      const bytes = bytesOf(5, 4 * MIB);
      const grey = await engine.upload(bytes);
      const colour = await engine.upload({ data: bytes, channels: 4 });
      const wide = await engine.upload({ data: bytes, type: "u16" });
      const cells = cellsOf(bytes);
      const each = [0, 1, 2, 3].map((channel) => cellsOf(bytes.filter((_, i) => i % 4 === channel)));
      for (let round = 0; round < 10; round++) {
        const many = await engine.histogram(wide, { axis: regular(65_536, 0, 65_536) });
        check(many.counts.reduce((a, b) => a + b) === wide.pixels, "expected all samples in 65,536 bins");
        checkCells(await engine.histogram(grey), cells, "one channel");
        for (const [i, h] of (await engine.histograms(colour)).entries())
          checkCells(h, each[i]!, `channel ${i}`);
        checkCells(await engine.histogram(grey, { algorithm: "trish" }), cells, "one channel by trish");
        checkCells(await engine.histogram(grey), cells, "one channel after trish");
      }
    },
  },
  {
    name: "hundreds of calls at once, of all kinds, are exact while residents come and go",
    async run({ device }) {
      await using engine = await openEngine({ backend: cuda({ device }) });
      const counter = await engine.prepare({});
      const wide = await engine.prepare({ type: "u16", axis: regular(30_000, 0, 65_536) });
      const slow = await engine.prepare({ algorithm: "trish" });
      for (let round = 0; round < 5; round++) {
        const bytes = bytesOf(round, 3 * MIB + round);
        const few = bytes.subarray(0, 50_001);
        const cells = cellsOf(bytes);
        const fewCells = cellsOf(few);
        const resident = await engine.upload(bytes);
        const words = await engine.upload({ data: few.subarray(0, 50_000), type: "u16" });
        const wideCounts = (await wide.count(words)).counts;
        const calls: Promise<void>[] = [];
        for (let i = 0; i < 200; i++) {
          calls.push(
            counter.count(resident).then((h) => checkCells(h, cells, "one of hundreds")),
            counter.count(few).then((h) => checkCells(h, fewCells, "few bytes, one of hundreds")),
            slow.count(resident).then((h) => checkCells(h, cells, "trish, one of hundreds")),
            wide.count(words).then(({ counts }) => {
              check(
                counts.every((count, at) => count === wideCounts[at]),
                "expected the same counts in 30,000 bins",
              );
            }),
            counter.accumulate(i % 2 === 0 ? resident : few),
          );
          if (i % 20 === 0) checkCells(counter.countSync(resident), cells, "before it returns");
          if (i % 50 === 0) checkCells(counter.countSync(bytes), cells, "host memory before it returns");
        }
        const all = counter.countAll(Array.from({ length: 500 }, (_, i) => (i % 2 === 0 ? resident : few)));
        const total = counter.take();
        for (const [i, h] of (await all).entries())
          checkCells(h, i % 2 === 0 ? cells : fewCells, "one of a batch");
        await Promise.all([...calls, words.free()]);
        const sums = cells.map((count, at) => 100 * (count + fewCells[at]!));
        checkCells(await total, sums, "what was accumulated");
        // These calls are under way and keep their input.
        const last = Array.from({ length: 100 }, () => counter.count(resident));
        const freed = resident.free();
        for (const h of await Promise.all(last)) checkCells(h, cells, "a resident that was freed meanwhile");
        await freed;
      }
    },
  },
  {
    name: "an engine that is closed with calls under way ends them first, and an abort takes none of the others along",
    async run({ device }) {
      const engine = await openEngine({ backend: cuda({ device }) });
      const counter = await engine.prepare({});
      const bytes = bytesOf(9, 20 * MIB);
      const cells = cellsOf(bytes);
      const resident = await engine.upload(bytes);
      const controller = new AbortController();
      const aborted = Array.from({ length: 50 }, () =>
        counter.count(resident, { signal: controller.signal }),
      );
      const calls = Array.from({ length: 100 }, () => counter.count(resident));
      controller.abort("enough");
      const closed = engine.close();
      for (const h of await Promise.all(calls)) checkCells(h, cells, "a call before the close");
      for (const call of aborted)
        check((await rejection(call, "an aborted call")) === "enough", "the reason");
      await closed;
      await rejectsWith(counter.count(resident), "ERR_UNAVAILABLE", "a call after the close");
    },
  },
  {
    name: "a long count that is aborted rejects with the reason, and the engine continues",
    async run({ device }) {
      await using engine = await openEngine({ backend: cuda({ device }) });
      const reason = new Error("enough");
      const controller = new AbortController();
      const zeros = new Uint8Array(6 * GIB);
      const onProgress = ({ done }: { done: number }) => {
        if (done > 0) controller.abort(reason);
      };
      const call = engine.histogram(zeros, { signal: controller.signal, onProgress });
      check((await rejection(call, "an aborted count")) === reason, "expected the signal's own reason");
      await checkCountsOn(engine);
    },
  },
  {
    name: "a file that is cut while it is read gives ERR_INPUT, and the engine continues",
    async run({ device }) {
      const folder = mkdtempSync(join(tmpdir(), "polybin-provoke-"));
      try {
        await using engine = await openEngine({ backend: cuda({ device }) });
        const path = join(folder, "zeros");
        // A sparse file takes no disk space.
        writeFileSync(path, "");
        truncateSync(path, 8 * GIB);
        const onProgress = ({ done }: { done: number }) => {
          if (done > 0) truncateSync(path, MIB);
        };
        const call = engine.histogram(fileSamples({ path, bytes: 8 * GIB }), { onProgress });
        await rejectsWith(call, "ERR_INPUT", "the count of a file that was cut");
        await checkCountsOn(engine);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: "all devices together count as one does",
    async run({ log }) {
      await using engine = await openEngine({ backend: cuda({ devices: "all" }) });
      log(engine.device);
      const bytes = bytesOf(6, 100 * MIB + 1);
      const resident = await engine.upload(bytes);
      for (const input of [bytes, resident])
        checkCells(await engine.histogram(input), cellsOf(bytes), engine.device);
      const one = await engine.upload(Uint8Array.of(7));
      check((await engine.histogram(one)).counts[7] === 1, "expected that one byte is counted");
      const floats = Float32Array.from({ length: 3 * MIB + 1 }, (_, i) => Math.sin(i));
      await using single = await openEngine({ backend: cuda() });
      const [several, alone] = await Promise.all(
        [engine, single].map((of) => of.histogram(floats, { bins: 77 })),
      );
      const told = [several!, alone!].map(({ axis, counts }) => JSON.stringify([axis, [...counts]]));
      check(
        told[0] === told[1],
        `expected the same of all devices and of one but received ${told.join(" and ")}`,
      );
    },
  },
];

async function checkCountsOn(engine: Engine): Promise<void> {
  const bytes = bytesOf(4, 50 * MIB + 1);
  checkCells(await engine.histogram(bytes), cellsOf(bytes), "host memory afterwards");
  const resident = await engine.upload(bytes);
  checkCells(await engine.histogram(resident), cellsOf(bytes), "a resident afterwards");
  await resident.free();
}
