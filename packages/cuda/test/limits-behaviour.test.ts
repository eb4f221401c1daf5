import { afterEach, expect, it, vi } from "vitest";
import { MESSAGES } from "../src/border/index.ts";
import { countKernels, sumsKernels } from "../src/kernels/index.ts";
import { split } from "../src/memory/split.ts";
import { talk } from "../src/run/talk.ts";

// These tests do not read limits.ts. They repeat its numbers, and the code must behave accordingly. Limits that only
// native code uses are not visible here.

afterEach(() => vi.useRealTimers());

it("parts of several devices start at multiples of 64 pixels", () => {
  expect(split(129, 3).map(({ first, pixels }) => [first, pixels])).toEqual([
    [0, 64],
    [64, 64],
    [128, 1],
  ]);
});

it("progress is reported every 50 milliseconds", async () => {
  vi.useFakeTimers();
  const seen: number[] = [];
  let end = () => {};
  const call = talk({ onProgress: (done) => seen.push(done) }, [
    (control) =>
      new Promise<void>((resolve) => {
        Atomics.store(control!.done, 0, 7n);
        end = resolve;
      }),
  ]);
  vi.advanceTimersByTime(49);
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual([7]);
  vi.advanceTimersByTime(49);
  expect(seen).toEqual([7]);
  end();
  await call;
});

it("no algorithm's own struct exceeds 64 bytes, the room in a message", () => {
  for (const { own } of [...countKernels, ...sumsKernels]) expect(own.struct.bytes).toBeLessThanOrEqual(64);
  const rooms = MESSAGES.flatMap(({ fields }) => Object.values(fields)).filter(
    (field): field is { readonly own: number } => typeof field === "object" && "own" in field,
  );
  expect(rooms).toEqual([{ own: 64 }, { own: 64 }]);
});
