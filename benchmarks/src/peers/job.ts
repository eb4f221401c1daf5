import type { ChannelsPlan } from "@polybin/core";
import type { Lowering } from "@polybin/core/backend";
import { nativePlan } from "@polybin/cuda/handed";

/** Writes a plan and a lowering as text for peers/job.h: structs' bytes and arrays, one "name number …" per line. */
export function jobText(lowering: Lowering, plan: ChannelsPlan): string {
  const { lowering: arrays, plan: bytes, own } = nativePlan(lowering, plan);
  return [...Object.entries(arrays), ["plan", bytes] as const, ["own", own] as const]
    .map(([name, numbers]) => [name, ...(numbers ?? [])].join(" "))
    .join("\n");
}
