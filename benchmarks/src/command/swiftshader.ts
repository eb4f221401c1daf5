import { webgpu } from "@polybin/webgpu";
import { testBed } from "./checkout.ts";

/**
 * Restarts this process in place if WebGPU can only use SwiftShader. The dynamic loader reads its environment only when a
 * process starts.
 */
export async function startWithSoftwareGpu(): Promise<void> {
  const env = await softwareGpu();
  if (env === null || !process.execve) return;
  process.execve(process.execPath, [process.execPath, ...process.argv.slice(1)], { ...process.env, ...env });
}

/**
 * Returns the environment in which WebGPU finds SwiftShader, or null if there is a GPU or somebody chose a driver.
 */
async function softwareGpu(): Promise<Record<string, string> | null> {
  if (process.env.VK_ICD_FILENAMES !== undefined) return null;
  if ((await webgpu().probe()).available) return null;
  const bed = await testBed("swiftshader.ts");
  const env = await bed?.swiftshaderEnv();
  return typeof env === "object" ? env : null;
}
