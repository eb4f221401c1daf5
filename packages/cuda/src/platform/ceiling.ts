import { checkNames, limits } from "@polybin/core/backend";
import type { ReadRow } from "../border/index.ts";
import { checkedWhole, coded, unexpected } from "./errors.ts";
import { loaded } from "./loader.ts";

/** The amount of memory to measure with, and the number of rounds. */
export interface CeilingOptions {
  /** Number of the device. Default: 0. */
  readonly device?: number;
  /** Bytes that a round reads or copies. The device must have room for them. */
  readonly bytes: number;
  /** Timed rounds. One more round before them is not timed. Default: 11. */
  readonly rounds?: number;
}

/** The fastest way to read device memory, and all that were measured. */
export interface ReadCeiling {
  /** 10^9 bytes per second: the bytes divided by the median time of the fastest variant. */
  readonly gbps: number;
  /** The fastest variant. */
  readonly variant: string;
  readonly rows: readonly ReadRow[];
}

/** The speed of copies from host memory to a device. */
export interface CopyCeiling {
  /** 10^9 bytes per second: the bytes divided by the median time. */
  readonly gbps: number;
  /** Milliseconds of each round. */
  readonly ms: readonly number[];
}

const NAMES = ["device", "bytes", "rounds"] satisfies (keyof CeilingOptions)[];

/** The numbers of blocks per multiprocessor that are measured. */
const BLOCKS = [4, 8, 16, 32];

/**
 * Measures how fast a device can read its own memory. The kernels do nothing but read, so the result bounds the
 * throughput of a histogram of resident samples. The device times the rounds.
 * @throws ERR_INPUT if an option is wrong.
 * @throws ERR_UNAVAILABLE without the addon or the device.
 * @throws ERR_OUT_OF_MEMORY if the device has no room for the bytes.
 */
export async function readCeiling(options: CeilingOptions): Promise<ReadCeiling> {
  checkNames(options, NAMES);
  const { device = 0, bytes, rounds = 11 } = options;
  const job = {
    device: checkedWhole(device, "device", 0),
    bytes: checkedWhole(bytes, "bytes", limits.VECTOR_BYTES),
    rounds: checkedWhole(rounds, "rounds", 1),
  };
  // The kernels load whole vectors and ignore the rest.
  const whole = job.bytes - (job.bytes % limits.VECTOR_BYTES);
  const rows: ReadRow[] = [];
  try {
    for (const blocks of BLOCKS) rows.push(...(await loaded().readRounds({ ...job, bytes: whole, blocks })));
  } catch (error) {
    throw coded(error);
  }
  const best = rows.reduce((a, b) => (median(b.ms) < median(a.ms) ? b : a));
  return { gbps: gbpsOf(whole, best.ms), variant: best.variant, rows };
}

/**
 * Measures how fast a plain copy brings host memory to a device. The result bounds the throughput of counting such
 * memory. The host times the rounds, until the device has all bytes.
 * @throws ERR_INPUT if an option is wrong.
 * @throws ERR_UNAVAILABLE without the addon or the device.
 * @throws ERR_OUT_OF_MEMORY if the device has no room for the bytes.
 */
export async function copyCeiling(
  options: CeilingOptions & {
    /** Page-locked memory, as `pinned` returns it, or ordinary memory. */
    readonly memory: "pinned" | "pageable";
  },
): Promise<CopyCeiling> {
  checkNames(options, [...NAMES, "memory"]);
  const { device = 0, bytes, rounds = 11, memory } = options;
  if (memory !== "pinned" && memory !== "pageable") throw unexpected("memory", "pinned or pageable", memory);
  const job = {
    device: checkedWhole(device, "device", 0),
    bytes: checkedWhole(bytes, "bytes", 1),
    rounds: checkedWhole(rounds, "rounds", 1),
    pinned: memory === "pinned",
  };
  try {
    const ms = await loaded().copyRounds(job);
    return { gbps: gbpsOf(job.bytes, ms), ms };
  } catch (error) {
    throw coded(error);
  }
}

function gbpsOf(bytes: number, ms: readonly number[]): number {
  return bytes / (median(ms) * 1e6);
}

function median(of: readonly number[]): number {
  const sorted = [...of].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
