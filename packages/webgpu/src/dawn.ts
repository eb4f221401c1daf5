import type { FindGpu, GpuLease } from "./gpu.ts";

/**
 * Dawn's instances, by their flags, as long as something runs on them: the only place that holds them.
 *
 * The object that `create` returns must stay referenced while a device of it lives: when it is collected, Dawn crashes
 * in random places. And it must be dropped afterwards, or the process does not end.
 */
const held = new Map<string, { readonly gpu: GPU; users: number }>();

/** WebGPU in Node: what the runtime has, else Dawn of the package `webgpu`, which is loaded when it is asked for. */
export function findDawn(flags: readonly string[]): FindGpu {
  return async () => {
    const own = globalThis.navigator?.gpu;
    if (own !== undefined) return { gpu: own, release: () => {} };
    try {
      const { create } = await import("webgpu");
      return lease(flags, () => create([...flags]));
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      return `Dawn could not be loaded (${reason}); install the package webgpu`;
    }
  };
}

function lease(flags: readonly string[], create: () => GPU): GpuLease {
  const key = JSON.stringify(flags);
  const entry = held.get(key) ?? { gpu: create(), users: 0 };
  held.set(key, entry);
  entry.users++;
  let released = false;
  return {
    gpu: entry.gpu,
    release: () => {
      if (released) return;
      released = true;
      entry.users--;
      if (entry.users === 0) held.delete(key);
    },
  };
}
