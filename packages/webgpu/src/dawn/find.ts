import { type FindAdapter, navigatorAdapter, noAdapter } from "../platform/index.ts";
import { captured } from "./stderr.ts";

/** One of Dawn's, and the first that the driver said to it. */
interface Instance {
  readonly gpu: GPU;
  told: string;
}

/**
 * Dawn's instances, by their flags: the only place that holds them, and for as long as the process lives.
 *
 * The object that `create` returns must not be collected while anything of it is there, and that is longer than a
 * device: buffers and pipelines that wait for the garbage collector need it, too. Collected too early, it lets Dawn
 * crash in random places. Devices are destroyed on close, and an instance without a device keeps no process alive.
 */
const instances = new Map<string, Instance>();

/** WebGPU in Node: what the runtime has, else Dawn of the package `webgpu`, which is loaded when it is asked for. */
export function findDawn(flags: readonly string[]): FindAdapter {
  return async (options) => {
    if (globalThis.navigator?.gpu !== undefined) return navigatorAdapter(options);
    const problem = vulkanProblem();
    if (problem !== null) return problem;
    const instance = await instanceOf(flags);
    if (typeof instance === "string") return instance;
    // Dawn looks for drivers before this returns, and writes what it finds wrong with any to stderr.
    const { value, text } = captured(() => instance.gpu.requestAdapter(options));
    instance.told ||= firstLine(text);
    return (await value) ?? noAdapter(instance.told);
  };
}

async function instanceOf(flags: readonly string[]): Promise<Instance | string> {
  try {
    const { create } = await import("webgpu");
    const key = JSON.stringify(flags);
    const instance = instances.get(key) ?? { gpu: create([...flags]), told: "" };
    instances.set(key, instance);
    return instance;
  } catch (error) {
    const reason = firstLine(error instanceof Error ? error.message : String(error));
    return `Dawn could not be loaded (${reason}); install the package webgpu`;
  }
}

const firstLine = (text: string): string => text.split("\n")[0]!.replace(/^Warning: /, "");

const VULKAN = "libvulkan.so.1";

/** Where Vulkan's loader is missing, a sentence of our own says more than Dawn's. */
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
