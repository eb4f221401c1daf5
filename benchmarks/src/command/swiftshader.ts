import { webgpu } from "@polybin/webgpu";
import { testBed } from "./checkout.ts";

/**
 * Where WebGPU finds nothing but SwiftShader, this process starts anew, as the same process: the loader of libraries read
 * its environment when it started.
 */
export async function startWithSoftwareGpu(): Promise<void> {
  const env = await softwareGpu();
  if (env === null || !process.execve) return;
  process.execve(process.execPath, [process.execPath, ...process.argv.slice(1)], { ...process.env, ...env });
}

/**
 * The environment in which WebGPU finds SwiftShader, where there is no GPU for it and nobody chose a driver; else null.
 * The dynamic loader reads it when a process starts.
 */
async function softwareGpu(): Promise<Record<string, string> | null> {
  if (process.env.VK_ICD_FILENAMES !== undefined) return null;
  if ((await webgpu().probe()).available) return null;
  const bed = await testBed("swiftshader.ts");
  const env = await bed?.swiftshaderEnv();
  return typeof env === "object" ? env : null;
}
