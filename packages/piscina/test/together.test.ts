import { type Engine, openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";
import { describe, expect, it } from "vitest";
import {
  closePlace,
  end,
  isStopped,
  newControl,
  signalOf,
  stop,
  takePlace,
  waitAfter,
} from "../src/counting/control.ts";
import { eachStep, type Steps } from "../src/counting/steps.ts";
import { poolLimits } from "../src/platform/index.ts";
import type { Pieces } from "../src/run/dispatch/feed.ts";
import { newTurn, type Rest, restOf, type Turn } from "../src/run/dispatch/rest.ts";

const LAUNCH = { from: 7, to: 1007 };

/** A launch whose pieces have 100 pixels, and what was copied to its three slots. */
function copied() {
  const copies: [first: number, end: number, slot: number][] = [];
  const pieces: Pieces = { pixels: 100, slots: 3, copy: (...piece) => void copies.push(piece) };
  const control = newControl(1);
  const supply = { pixels: 1007, step: 30, pixelBytes: 1, pieces, isHere: true };
  return { copies, control, rest: restOf(LAUNCH, supply, control) };
}

/** Takes the steps of the calling thread, and adds the pixels of each to a list. */
function own(rest: Rest, turn: Turn, seen: number[], most = Number.POSITIVE_INFINITY): void {
  for (let i = 0; i < most; i++) {
    const step = rest.next(turn);
    if (step === null) return;
    for (let pixel = step.first; pixel < step.end; pixel++) seen.push(pixel);
  }
}

/** Takes what a worker would take. */
function worker(steps: Steps, seen: number[]): void {
  eachStep(steps, ({ first, end: to, at, slot }) => {
    if (slot !== null) expect(Math.floor(at / 100)).toBe(slot);
    for (let pixel = first; pixel < to; pixel++) seen.push(pixel);
  });
}

const ALL = Array.from({ length: LAUNCH.to - LAUNCH.from }, (_, i) => LAUNCH.from + i);
const sorted = (pixels: number[]) => pixels.toSorted((a, b) => a - b);

describe("samples that only the calling thread can read", () => {
  it("are not copied without workers", () => {
    const { copies, rest } = copied();
    const seen: number[] = [];
    own(rest, newTurn(0), seen);
    expect(seen).toEqual(ALL);
    expect(copies).toEqual([]);
    expect(rest.isEmpty).toBe(true);
  });

  it("are taken back from workers that have not begun", () => {
    const { copies, rest } = copied();
    const seen: number[] = [];
    own(rest, newTurn(1), seen);
    expect(copies).toHaveLength(3);
    expect(sorted(seen)).toEqual(ALL);
  });

  it("are counted once, whoever takes them", () => {
    const { copies, control, rest } = copied();
    const seen: number[] = [];
    const turn = newTurn(1);
    own(rest, turn, seen, 4);
    // A worker empties the three slots, and further pieces come.
    end(control);
    worker(rest.forWorkers, seen);
    own(rest, turn, seen, 2);
    worker(rest.forWorkers, seen);
    own(rest, turn, seen);
    expect(copies.length).toBeGreaterThan(3);
    expect(sorted(seen)).toEqual(ALL);
  });

  it("are not copied if that takes as long as counting, until the next turn", () => {
    const { copies, rest } = copied();
    const turn = newTurn(1);
    own(rest, turn, [], 1);
    expect(copies).toHaveLength(1);
    Object.assign(turn.counted, { pixels: 100, ms: 1 });
    Object.assign(turn.copied, { pixels: 100, ms: 1.01 * poolLimits.copyShare });
    own(rest, turn, [], 5);
    expect(copies).toHaveLength(1);
    Object.assign(turn.copied, { pixels: 100, ms: 0.9 * poolLimits.copyShare });
    own(rest, turn, [], 1);
    expect(copies).toHaveLength(2);
    const next = newTurn(1);
    own(rest, next, [], 1);
    expect(copies).toHaveLength(3);
  });

  it("are left alone by a worker of a call that was stopped", () => {
    const { control, rest } = copied();
    own(rest, newTurn(1), [], 1);
    stop(control);
    const seen: number[] = [];
    worker(rest.forWorkers, seen);
    expect(seen).toEqual([]);
    expect(isStopped(control)).toBe(true);
  });
});

it("a place is either taken or closed", () => {
  const control = newControl(2);
  expect(takePlace(control, 0)).toBe(true);
  expect(closePlace(control, 0)).toBe(false);
  expect(closePlace(control, 1)).toBe(true);
  expect(takePlace(control, 1)).toBe(false);
});

it("a thread that has read a signal does not miss the next one", () => {
  const control = newControl();
  const signal = signalOf(control);
  end(control);
  // It would wait forever.
  waitAfter(control, signal);
  expect(signalOf(control)).not.toBe(signal);
});

describe("a long call", () => {
  const open = (): Promise<Engine> => openEngine({ backend: piscina({ threads: 1 }) });

  it("gives other work its turn", async () => {
    await using engine = await open();
    const data = new Uint8Array(2 ** 25);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { counts } = await engine.histogram(data, { algorithm: "trish" });
    clearInterval(timer);
    expect(counts[0]).toBe(data.length);
    expect(turns).toBeGreaterThan(0);
  });

  it("runs beside others and calls in between, each with its own counts", async () => {
    await using engine = await open();
    const inputs = [1, 2, 3, 4].map((value) => new Uint8Array(2 ** 23 + value).fill(value));
    const counter = await engine.prepare({ type: "u8" });
    const calls = inputs.map((data) =>
      engine.histogram(data, { onProgress: () => void counter.countSync(data.subarray(0, 99)) }),
    );
    for (const [i, { counts }] of (await Promise.all(calls)).entries()) {
      expect(counts[i + 1]).toBe(inputs[i]!.length);
      expect(counts.reduce((sum, count) => sum + count)).toBe(inputs[i]!.length);
    }
  });
});
