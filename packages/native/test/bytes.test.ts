import { createRequire } from "node:module";
import { integer } from "@polybin/core";
import { limits, lower, planOrReason } from "@polybin/core/backend";
import { native } from "@polybin/native";
import { beforeEach, expect, it, type TestContext } from "vitest";
import type { Native } from "../src/border/index.ts";
import { kernels } from "../src/kernels/index.ts";
import { deviceLimits } from "../src/platform/index.ts";
import { nativeJob } from "../src/run/prepare.ts";

const probe = await native().probe();

beforeEach((test: TestContext) => {
  if (!probe.available) test.skip(probe.reason);
});

const AXIS = integer(0, 256);
const VALUES = limits.BYTE_VALUES;

/** The channels of each mask of up to four interleaved ones. */
const CASES = [1, 2, 3, 4].flatMap((interleaved) =>
  Array.from({ length: 2 ** interleaved - 1 }, (_, mask) => ({
    interleaved,
    channels: [0, 1, 2, 3].filter((channel) => ((mask + 1) >> channel) & 1),
  })),
);

const DATA: Record<string, (i: number, interleaved: number) => number> = {
  "any bytes": (i) => (Math.imul(i, 2_654_435_761) >>> 21) + (i >> 7),
  "equal bytes": () => 255,
  "bytes in order": (i) => i,
  "runs of equal pixels": (i, interleaved) => 7 * (i % interleaved) + (i >> 8),
  "runs that hardly end": (i, interleaved) => (i % 500 === 499 ? 9 : i % interleaved),
  "bytes that come again": (i) => i % 48,
};

it.each(CASES)(
  "counts channels $channels of $interleaved, single and as pairs",
  ({ interleaved, channels }) => {
    const addon = createRequire(import.meta.url)("../dist/polybin_native.node") as Native;
    const lowering = lower(AXIS, "u8");
    // The rows of pictures, with and without gaps, at odd addresses, whose last step is cut.
    const pictures = [
      { width: 1, height: 1, gap: 0 },
      { width: 1009, height: 1, gap: 0 },
      { width: 15, height: 16, gap: 3 },
      { width: 31, height: 40, gap: 0 },
      { width: 31, height: 40, gap: 5 },
    ];
    for (const [name, byteAt] of Object.entries(DATA)) {
      for (const { width, height, gap } of pictures) {
        const pitch = width * interleaved + gap;
        const bytes = Uint8Array.from({ length: pitch * height + 1 }, (_, i) =>
          byteAt(i, interleaved),
        ).subarray(1);
        const wanted = new Float64Array(VALUES * channels.length);
        for (let row = 0; row < height; row++) {
          for (let column = 0; column < width; column++) {
            for (const [k, channel] of channels.entries()) {
              wanted[k * VALUES + bytes[row * pitch + column * interleaved + channel]!]! += 1;
            }
          }
        }
        const column = { type: "u8", lowering } as const;
        const plan = planOrReason(
          { algorithm: "per-lane", column, samples: width * height, channels: channels.length },
          deviceLimits(1),
          kernels.map(({ algorithm }) => algorithm),
        );
        if (typeof plan === "string") throw new Error(plan);
        for (const pairing of ["never", "always", "never"]) {
          const job = {
            kind: "channels",
            type: "u8",
            interleaved,
            channels,
            axis: AXIS,
            lowering,
            plan,
          } as const;
          const counter = new addon.Counter(...nativeJob(job, 1, { pairing }).packed);
          const found = new Float64Array(wanted.length);
          // Tables are kept for the next call, and have to be clear again.
          for (let times = 1; times <= 2; times++) {
            counter.countSync(bytes, width, height, pitch, found);
            expect(found, `${name}, ${width} x ${height}, ${pairing}`).toEqual(
              wanted.map((count) => times * count),
            );
          }
        }
      }
    }
  },
);
