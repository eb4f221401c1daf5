import { limits } from "@polybin/core/backend";
import type { DeviceLowering } from "../../../kernels/index.ts";
import { own } from "../../../platform/index.ts";
import type { DeviceColumn } from "./columns.ts";

/**
 * Returns the copies of lookups in workgroup memory, so that lanes seldom meet in a bank: as many as fit, or 0. They
 * are a power of two.
 */
export function lookupReplicasOf(columns: readonly DeviceColumn[], bytes: number): number {
  const words = (replicas: number) =>
    columns.reduce((sum, { lowering }) => sum + sharedWords(lowering, replicas), 0);
  let replicas: number = own.LOOKUP_REPLICAS;
  while (replicas >= 1 && words(replicas) * limits.WORD_BYTES > bytes) replicas /= 2;
  return replicas >= 1 && words(1) > 0 ? replicas : 0;
}

function sharedWords(
  { lookupParts, sampleBytes, sharedConstants }: DeviceLowering,
  replicas: number,
): number {
  if (lookupParts.shared === null) return 0;
  const { THRESHOLDS = 0, STARTS = 0, ENTRIES = 0 } = sharedConstants ?? {};
  const keyWords = Math.max(1, sampleBytes / limits.WORD_BYTES);
  return (THRESHOLDS * keyWords + ENTRIES) * replicas + STARTS * startCopies(replicas);
}

/** Returns the lengths that the texts of lookups in workgroup memory need. */
export function lookupConsts(replicas: number): Readonly<Record<string, number>> {
  return replicas === 0 ? {} : { LOOKUP_REPLICAS: replicas, START_COPIES: startCopies(replicas) };
}

function startCopies(replicas: number): number {
  return Math.max(1, Math.floor(replicas / 2));
}
