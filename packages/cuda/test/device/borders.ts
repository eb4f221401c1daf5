import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openEngine } from "@polybin/core";
import { cuda, pinned } from "@polybin/cuda";
import type { Context, Native } from "../../src/border/index.ts";
import { type Case, check, rejection, rejectsWith, soon } from "./case.ts";
import { bytesOf, cellsOf, checkCells } from "./samples.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Cases at the boundary to native code, on a real device. */
export const borderCases: readonly Case[] = [
  {
    // This is the first case, so nothing has started CUDA yet.
    name: "a probe starts CUDA while the event loop goes on",
    async run({ device, log }) {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const { available } = await cuda({ device }).probe();
      clearInterval(timer);
      log(`${turns} turns of the event loop meanwhile`);
      check(available, "expected a device");
      check(turns > 0, "expected that the event loop goes on while CUDA starts but it stood still");
    },
  },
  {
    name: "memory that is transferred in the middle of a call gives ERR_INPUT, and the engine continues",
    async run({ device }) {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      await using engine = await openEngine({ backend: cuda({ device }) });
      const kinds = { pageable: () => new Uint8Array(2 * GIB), "page-locked": () => pinned(2 * GIB) };
      for (const [name, make] of Object.entries(kinds)) {
        for (const call of ["histogram", "upload", "extent"] as const) {
          const bytes = make();
          const running = engine[call](bytes);
          running.catch(() => {});
          // By then the call is in the addon and copies for a long time.
          await new Promise((done) => setTimeout(done, 5));
          (bytes.buffer as ArrayBuffer).transfer(0);
          collect();
          await rejectsWith(running, "ERR_INPUT", `${call} of ${name} memory that was transferred`);
        }
      }
      const bytes = bytesOf(7, 50 * MIB + 1);
      checkCells(await engine.histogram(bytes), cellsOf(bytes), "host memory afterwards");
    },
  },
  {
    name: "arguments that fit no plan are refused before the device is asked, and an engine continues",
    async run({ device, fault }) {
      const addon = join(dirname(resolve(fault)), "polybin_cuda.node");
      const native = createRequire(import.meta.url)(addon) as Native;
      const context = new native.Context(device, false);
      const hostile = [
        undefined,
        null,
        1,
        "job",
        [],
        {},
        { source: {} },
        { source: { bytes: new Uint8Array(1) } },
      ];
      for (const call of ["upload", "count", "extent", "uploadTable", "sums", "free"] as const) {
        for (const job of hostile) {
          if (call === "free" && job === 1) continue;
          const rejected = await rejection(
            (context[call] as (job: unknown) => Promise<unknown>).call(context, job),
            `${call}(${JSON.stringify(job)})`,
          );
          check(
            (rejected as { code?: string }).code === "ERR_INTERNAL",
            `expected ERR_INTERNAL but ${rejected}`,
          );
        }
      }
      await beyondResident(context);
      await soon(context.close(), "close()");
      await using engine = await openEngine({ backend: cuda({ device }) });
      const bytes = bytesOf(8, MIB + 3);
      checkCells(await engine.histogram(bytes), cellsOf(bytes), "host memory afterwards");
    },
  },
];

/** Reading more than a resident holds must be refused. Otherwise the process would lose the device. */
async function beyondResident(context: Context): Promise<void> {
  const control = {
    stop: new Int32Array(new SharedArrayBuffer(4)),
    done: new BigInt64Array(new SharedArrayBuffer(8)),
  };
  const shape = { first: 0, pixels: 1000, pixelBytes: 1, width: 1000, rowPitch: 1000 };
  const resident = await context.upload({ source: { ...shape, bytes: new Uint8Array(1000) }, control });
  const wanted = { type: 0, interleaved: 1, channels: [0] };
  for (const change of [{ pixels: GIB, width: GIB, rowPitch: GIB }, { first: GIB }]) {
    const call = context.extent({ source: { ...shape, ...change, resident }, wanted, control });
    await rejectsWith(call, "ERR_INTERNAL", "an extent of more than a resident holds");
  }
  const { min, max } = await context.extent({ source: { ...shape, resident }, wanted, control });
  check(min === 0n && max === 0n, `expected an extent of 0 to 0 but received ${min} to ${max}`);
  await context.free(resident);
}
