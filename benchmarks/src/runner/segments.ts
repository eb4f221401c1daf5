import { type Engine, integer, type Resident, type Segmented, type SegmentedResident } from "@polybin/core";
import type { Rows } from "../data/segment-rows.ts";
import type { Bench } from "./bench.ts";
import { type Caller, callAgain } from "./calls.ts";
import { NotExact } from "./contest.ts";
import type { Report } from "./report.ts";
import type { Row, SegmentShape } from "./row.ts";
import { percentOf, throughput } from "./statistics.ts";

export const BINS = 256;
export const COUNT_BYTES = 4;
const AXIS = integer(0, BINS);
const KERNEL_ROUNDS = 11;

/** One cell of our own. */
export interface SegmentCell {
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
  input: SegmentCell["input"],
  { each }: SegmentShape,
): Promise<string | null> {
  return (await engine.segments(input, { every: each }, { axis: AXIS })).algorithm;
}

function rowOf({ engine, shape, distribution, threads, algorithm }: SegmentCell) {
  return {
    ...{ backend: engine.backend, algorithm, peer: null, type: "u8", bins: BINS, threads },
    ...({ n: shape.count * shape.each, distribution, segments: shape, residence: "resident" } as const),
  };
}

/** Leaves the counts on the device, in rows that hold its memory until they are freed. */
function leave({ engine, input, shape }: SegmentCell, timings = false): Promise<SegmentedResident> {
  return engine.segments(input, { every: shape.each }, { axis: AXIS, leave: true, timings });
}

async function readAndFree(of: SegmentedResident): Promise<ArrayLike<number>> {
  const { counts } = await of.read();
  await of.free();
  return counts;
}

/**
 * Measures the kernel's time of one launch over all segments, whose rows stay on the device, at the device's full clock
 * rate. Its share of the ceiling counts all bytes that it reads and writes.
 */
export async function kernel(
  of: SegmentCell,
  report: Report,
  ceiling: number | null,
  device: Pick<Bench, "warmUp" | "between">,
): Promise<void> {
  const { shape, rows } = of;
  const ms: number[] = [];
  let last: SegmentedResident | null = null;
  const once = async () => {
    await last?.free();
    last = await leave(of, true);
    return last.timings!.kernelMs;
  };
  // The device was idle while the host prepared the samples.
  await device.warmUp(once);
  for (let round = 0; round < KERNEL_ROUNDS; round++) {
    await device.between();
    ms.push(await once());
  }
  const wrong = rows.difference(await readAndFree(last!));
  if (wrong !== null) throw new NotExact(wrong);
  const bytes = shape.count * shape.each;
  const moved = throughput(bytes + shape.count * BINS * COUNT_BYTES, ms);
  const row: Row = {
    ...{ ...rowOf(of), ms, gbps: throughput(bytes, ms) },
    ...{ ceilingPercent: percentOf(moved, ceiling), exact: true },
  };
  report.add(row);
}

/** Makes calls that copy the counts to the host. @param bus GB/s at which the bus copies this number of bytes */
export function toHost(of: SegmentCell, bus: number | null): Caller {
  const { engine, input, shape, into, rows } = of;
  let found: Segmented | null = null;
  const once = async () => {
    found = await engine.segments(input, { every: shape.each }, { axis: AXIS, into });
  };
  return {
    ...{ row: { ...rowOf(of), call: "segments" }, bytes: shape.count * shape.each },
    burst: (most, seconds) => callAgain(once, most, seconds),
    wrong: async () => rows.difference(found!.counts),
    // The bytes of samples that correspond to the bytes of counts on the bus.
    ceiling: bus === null ? null : (bus * shape.each) / (BINS * COUNT_BYTES),
  };
}

/** Makes calls that leave the counts on the device, which holds them until the next call. */
export function left(of: SegmentCell): Caller {
  let last: SegmentedResident | null = null;
  const once = async () => {
    await last?.free();
    last = await leave(of);
  };
  return {
    ...{ row: { ...rowOf(of), call: "segments left" }, bytes: of.shape.count * of.shape.each },
    burst: (most, seconds) => callAgain(once, most, seconds),
    wrong: async () => of.rows.difference(await readAndFree(last!)),
  };
}

/** Whether the device can keep counts. */
export async function leaves(of: SegmentCell, report: Report): Promise<boolean> {
  try {
    await (await leave(of)).free();
    return true;
  } catch (error) {
    report.missOnce(`segments left on the device: ${(error as Error).message}`);
    return false;
  }
}
