import type { Published } from "../src/runner/row.ts";
import { HOPPER_UNIT } from "../src/sources/plans.ts";

/** An H100 and an H200 measure kernels as published. */
const UNIT = { ...HOPPER_UNIT, registers: 65_536 } as const;
/** Registers that a warp gets at a time, and threads of a warp. */
const [REGISTERS, WARP] = [256, 32] as const;

/** Threads that a multiprocessor holds at once. */
export const threadsOf = ({ threads, blocksPerUnit }: Published): number => threads * blocksPerUnit;

/** These threads as a share of the most, in percent. */
export const occupancyOf = (of: Published): number => (threadsOf(of) / UNIT.threads) * 100;

/** Shared memory per warp, of a launch that is not padded to the paper's occupancy. */
export const bytesAWarpOf = ({ sharedBytes, threads }: Published): number => (sharedBytes * WARP) / threads;

/** Blocks per multiprocessor that shared memory allows, divided by the fewest that another resource allows. */
export function sharedOverOthers({ threads, registers, sharedBytes }: Published): number {
  const byShared = Math.floor(UNIT.sharedBytes / (sharedBytes + UNIT.reservedBytes));
  const perWarp = Math.ceil((registers * WARP) / REGISTERS) * REGISTERS;
  const byRegisters = Math.floor(Math.floor(UNIT.registers / perWarp) / (threads / WARP));
  return byShared / Math.min(byRegisters, Math.floor(UNIT.threads / threads), UNIT.blocks);
}
