import type { FindGpu } from "./gpu.ts";

/**
 * Dawn's instances, by their flags: the only place that holds them, and for as long as the process lives.
 *
 * The object that `create` returns must not be collected while anything of it is there, and that is longer than a
 * device: buffers and pipelines that wait for the garbage collector need it, too. Collected too early, it lets Dawn
 * crash in random places. Devices are destroyed on close, and an instance without a device keeps no process alive.
 */
const instances = new Map<string, GPU>();

/** WebGPU in Node: what the runtime has, else Dawn of the package `webgpu`, which is loaded when it is asked for. */
export function findDawn(flags: readonly string[]): FindGpu {
  return async () => {
    const own = globalThis.navigator?.gpu;
    if (own !== undefined) return own;
    const problem = vulkanProblem();
    if (problem !== null) return problem;
    try {
      const { create } = await import("webgpu");
      const key = JSON.stringify(flags);
      const gpu = instances.get(key) ?? create([...flags]);
      instances.set(key, gpu);
      return gpu;
    } catch (error) {
      const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
      return `Dawn could not be loaded (${reason}); install the package webgpu`;
    }
  };
}

const VULKAN = "libvulkan.so.1";

/** Where Vulkan's loader is missing, Dawn writes so to stderr, past any handler: so it is looked for first. */
function vulkanProblem(): string | null {
  if (process.platform !== "linux") return null;
  try {
    process.dlopen({ exports: {} }, VULKAN);
  } catch (error) {
    // One that is there fails too, later, since it is no addon.
    if (error instanceof Error && error.message.startsWith(`${VULKAN}: cannot open`)) {
      return `WebGPU has no adapter here: Vulkan's loader, ${VULKAN}, is missing; a driver or the package libvulkan1 has it`;
    }
  }
  return null;
}
