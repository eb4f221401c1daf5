import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isPolybinError, openEngine, type Resident, regular } from "@polybin/core";
import { cuda, deviceMemory, pinned } from "@polybin/cuda";
import { type Case, check, rejectsWith } from "./case.ts";
import { bytesOf, cellsOf, checkCells, checkZeros } from "./samples.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Cases of memory: memory that is exhausted, residents that are not freed, and engines that open and close. */
export const memoryCases: readonly Case[] = [
  {
    name: "a full device gives ERR_OUT_OF_MEMORY, continues, and has room again when residents are freed",
    async run({ device, log }) {
      await using engine = await openEngine({ backend: cuda({ device }) });
      const bytes = bytesOf(1, 3 * MIB + 5);
      const small = await engine.upload(bytes);
      checkCells(await engine.histogram(small), cellsOf(bytes), "a resident before the device is full");
      const wide = await engine.upload(new Uint16Array(64 * MIB));
      const before = await deviceMemory({ device });
      // Zero pages that were never written take no memory.
      const zeros = new Uint8Array(4 * GIB);
      const residents: Resident[] = [];
      for (let size = zeros.length; size >= 64 * MIB; size /= 2) {
        for (;;) {
          try {
            residents.push(await engine.upload(zeros.subarray(0, size)));
          } catch (error) {
            check(isPolybinError(error) && error.code === "ERR_OUT_OF_MEMORY", `a full device: ${error}`);
            break;
          }
          check(residents.length < 10_000, "expected ERR_OUT_OF_MEMORY but 10,000 uploads succeeded");
        }
      }
      const { free } = await deviceMemory({ device });
      log(`full with ${residents.length} residents: ${Math.round(free / MIB)} MiB free`);
      const trish = { algorithm: "trish", axis: regular(16, 0, 65_536) } as const;
      await rejectsWith(engine.histogram(wide, trish), "ERR_OUT_OF_MEMORY", "a count that needs 256 MiB");
      checkCells(await engine.histogram(small), cellsOf(bytes), "a resident on the full device");
      checkCells(await engine.histogram(bytes), cellsOf(bytes), "host memory on the full device");
      checkZeros(await engine.histogram(residents[0]!), zeros.length, "the first of the residents");
      for (const resident of residents) await resident.free();
      const needy = await engine.histogram(wide, trish);
      check(needy.counts[0] === wide.pixels, `the count that needed 256 MiB: ${needy.counts[0]} in bin 0`);
      const again = await engine.upload(zeros);
      checkZeros(await engine.histogram(again), zeros.length, "a resident after the others were freed");
      await again.free();
      const after = await deviceMemory({ device });
      check(
        after.free > before.free - GIB,
        `expected ${before.free} bytes free again but there are ${after.free}`,
      );
    },
  },
  {
    name: "the memory of a resident that is no longer referenced is freed",
    async run({ device }) {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      await using engine = await openEngine({ backend: cuda({ device }) });
      await (await engine.upload(new Uint8Array(1))).free();
      const before = await deviceMemory({ device });
      await engine.upload(new Uint8Array(4 * GIB));
      const held = await deviceMemory({ device });
      check(before.free - held.free >= 4 * GIB, "expected that a resident takes memory");
      for (let i = 0; i < 200; i++) {
        collect();
        await new Promise((resolve) => setTimeout(resolve, 50));
        if ((await deviceMemory({ device })).free - held.free >= 4 * GIB) return;
      }
      throw new Error("expected an unreferenced resident to be freed but after 10 s it was not");
    },
  },
  {
    name: "page-locked memory outlives an engine",
    async run({ device }) {
      const first = await openEngine({ backend: cuda({ device }) });
      const bytes = pinned(65 * MIB + 3);
      bytes.set(bytesOf(2, bytes.length));
      const cells = cellsOf(bytes);
      checkCells(await first.histogram(bytes), cells, "page-locked memory");
      await first.close();
      await using second = await openEngine({ backend: cuda({ device }) });
      checkCells(await second.histogram(bytes), cells, "page-locked memory after its first engine");
    },
  },
  {
    name: "200 engines that open, count and close leave no memory behind",
    async run({ device, log }) {
      const bytes = bytesOf(3, MIB + 1);
      const cells = cellsOf(bytes);
      const cycle = async () => {
        const engine = await openEngine({ backend: cuda({ device }) });
        const resident = await engine.upload(bytes);
        checkCells(await engine.histogram(resident), cells, "a resident");
        checkCells(await engine.histogram(resident, { algorithm: "trish" }), cells, "a resident by trish");
        await engine.close();
      };
      // The first engines load kernels, which stay in memory.
      for (let i = 0; i < 5; i++) await cycle();
      const before = await deviceMemory({ device });
      for (let i = 0; i < 200; i++) await cycle();
      const after = await deviceMemory({ device });
      const grown = before.free - after.free;
      log(`${grown} bytes more are taken`);
      check(grown <= 8 * MIB, `expected no growth but ${grown} bytes more are taken`);
    },
  },
];
