import { type FindAdapter, navigatorAdapter, noAdapter } from "../platform/index.ts";
import { captured } from "./stderr.ts";

/** An instance of Dawn, and the first line that a driver wrote when the instance looked for adapters. */
interface Instance {
  readonly gpu: GPU;
  told: string;
}

/**
 * Dawn's instances by their flags. Only this map holds them, and it does so for as long as the process lives.
 *
 * The object that `create` returns must not be collected while anything created from it exists. That is longer than a
 * device lives: buffers and pipelines that wait for the garbage collector need it, too. If it is collected too early,
 * Dawn crashes in random places. Engines destroy their devices on close, and an instance without a device does not keep
 * the process alive.
 */
const instances = new Map<string, Instance>();

/**
 * Finds WebGPU in Node: the runtime's own, otherwise Dawn from the package `webgpu`. It loads Dawn only when it needs
 * it.
 */
export function findDawn(flags: readonly string[]): FindAdapter {
  return async (options) => {
    if (globalThis.navigator?.gpu !== undefined) return navigatorAdapter(options);
    const problem = vulkanProblem();
    if (problem !== null) return problem;
    const instance = await instanceOf(flags);
    if (typeof instance === "string") return instance;
    // Dawn looks for drivers before this call returns, and writes their problems to stderr.
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
    const isForbidden = (error as { readonly code?: unknown } | null)?.code === "ERR_DLOPEN_DISABLED";
    const helps = isForbidden ? "start the process with --allow-addons" : "install the package webgpu";
    return `Dawn could not be loaded (${reason}); ${helps}`;
  }
}

const firstLine = (text: string): string => text.split("\n")[0]!.replace(/^Warning: /, "");

const VULKAN = "libvulkan.so.1";

/** If Vulkan's loader is missing, this sentence says more than Dawn's. */
function vulkanProblem(): string | null {
  if (process.platform !== "linux") return null;
  try {
    process.dlopen({ exports: {} }, VULKAN);
  } catch (error) {
    // A loader that is present fails later and with another message, because it is no addon.
    if (error instanceof Error && error.message.startsWith(`${VULKAN}: cannot open`)) {
      return `WebGPU has no adapter here: Vulkan's loader, ${VULKAN}, is missing; install a GPU driver or the package libvulkan1`;
    }
  }
  return null;
}
