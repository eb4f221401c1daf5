import type { Plan } from "@polybin/core";
import type { Lowering } from "@polybin/core/backend";
import { nativeLowering, nativePlan } from "@polybin/cuda/handed";

/** A plan and a lowering as text, one "name value …" a line, for peers/job.h: a program without Node. */
export function jobText(lowering: Lowering, plan: Plan): string {
  return [
    ...lines("lowering", nativeLowering(lowering, plan)),
    ...lines("plan", { ...nativePlan(plan) }),
  ].join("\n");
}

function lines(of: string, fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const numbers = value instanceof Uint32Array ? [...value] : [Number(value)];
    return [`${of}.${name}`, ...numbers].join(" ");
  });
}
