import { type Engine, integer, type Resident, type Segmented, type SegmentedResident } from "@polybin/core";
import type { Rows } from "../data/segment-rows.ts";
import type { Bench } from "./bench.ts";
import { type Caller, callAgain } from "./calls.ts";
import type { Report } from "./report.ts";
import type { Call, Row, SegmentShape } from "./row.ts";
import { percentOf, throughput } from "./statistics.ts";

export const BINS = 256;
export const COUNT_BYTES = 4;
const AXIS = integer(0, BINS);
const KERNEL_ROUNDS = 11;

/** One cell of our own. */
export interface Ours {
  readonly engine: Engine;
  readonly input: Resident | Uint8Array;
  readonly shape: SegmentShape;
  readonly distribution: string;
  readonly threads?: number;
  /** The memory for the counts. Without it each call allocates its own. */
  readonly into?: Uint32Array;
  readonly rows: Rows;
  /** The algorithm that a call reports. */
  readonly algorithm: string | null;
}

/** Returns the algorithm that counts these segments. */
export async function algorithmOf(
  engine: Engine,
  input: Ours["input"],
  { each }: SegmentShape,
): Promise<string | null> {
  return (await engine.segments(input, { every: each }, { axis: AXIS })).algorithm;
}

function rowOf({ engine, shape, distribution, threads, algorithm }: Ours) {
  return {
    ...{ backend: engine.backend, algorithm, peer: null, type: "u8", bins: BINS },
    ...{ n: shape.count * shape.each, distribution, segments: shape },
    residence: "resident" as const,
    ...(threads === undefined ? {} : { threads }),
  } as const;
}

/**
 * Measures the kernel's time of one launch over all segments, whose rows stay on the device, at the device's full clock
 * rate. Its share of the ceiling counts all bytes that it reads and writes.
 */
export async function kernel(
  of: Ours,
  report: Report,
  ceiling: number | null,
  device: Pick<Bench, "warmUp" | "between">,
): Promise<void> {
  const { engine, input, shape, rows } = of;
  const how = { every: shape.each };
  const ms: number[] = [];
  let last: SegmentedResident | null = null;
  const once = async () => {
    await last?.free();
    last = await engine.segments(input, how, { axis: AXIS, leave: true, timings: true });
    return last.timings!.kernelMs;
  };
  // The device was idle while the host prepared the samples.
  await device.warmUp(once);
  for (let round = 0; round < KERNEL_ROUNDS; round++) {
    await device.between();
    ms.push(await once());
  }
  const { counts } = await last!.read();
  await last!.free();
  const wrong = rows.difference(counts);
  if (wrong !== null) throw new Error(`NOT EXACT: ${wrong}`);
  const bytes = shape.count * shape.each;
  const moved = throughput(bytes + shape.count * BINS * COUNT_BYTES, ms);
  const row: Row = {
    ...rowOf(of),
    ms,
    gbps: throughput(bytes, ms),
    ceilingPercent: percentOf(moved, ceiling),
    exact: true,
  };
  report.add(row);
}

/** Makes calls that copy the counts to the host. @param bus GB/s at which the bus copies this number of bytes */
export function home(of: Ours, bus: number | null): Caller {
  const { engine, input, shape, into, rows } = of;
  const how = { every: shape.each };
  let found: Segmented | null = null;
  return callerOf(of, "segments", {
    once: async () => {
      found = await engine.segments(input, how, { axis: AXIS, into });
    },
    wrong: async () => rows.difference(found!.counts),
    // The bytes of samples that correspond to the bytes of counts on the bus.
    ceiling: bus === null ? null : (bus * shape.each) / (BINS * COUNT_BYTES),
  });
}

/** Makes calls that leave the counts on the device, which holds them until the next call. */
export function left(of: Ours): Caller {
  const { engine, input, shape, rows } = of;
  const how = { every: shape.each };
  const leave = () => engine.segments(input, how, { axis: AXIS, leave: true });
  let last: Awaited<ReturnType<typeof leave>> | null = null;
  return callerOf(of, "segments left", {
    once: async () => {
      await last?.free();
      last = await leave();
    },
    wrong: async () => {
      const { counts } = await last!.read();
      await last!.free();
      return rows.difference(counts);
    },
    ceiling: null,
  });
}

/** Whether the device can keep counts. */
export async function leaves({ engine, input, shape }: Ours, report: Report): Promise<boolean> {
  try {
    const one = await engine.segments(input, { every: shape.each }, { axis: AXIS, leave: true });
    await one.free();
    return true;
  } catch (error) {
    report.missOnce(`segments left on the device: ${(error as Error).message}`);
    return false;
  }
}

interface Calling {
  once(): Promise<void>;
  wrong(): Promise<string | null>;
  readonly ceiling: number | null;
}

function callerOf(of: Ours, call: Call, { once, wrong, ceiling }: Calling): Caller {
  const { shape, distribution, engine } = of;
  return {
    name: `${engine.backend} ${call}, ${shape.count} of ${shape.each}, ${distribution}`,
    row: { ...rowOf(of), call },
    bytes: shape.count * shape.each,
    ceiling,
    burst: (most, seconds) => callAgain(once, most, seconds),
    wrong,
  };
}
