import { webgpu } from "@polybin/webgpu";
import { testBed } from "./checkout.ts";

/**
 * The environment in which WebGPU finds SwiftShader, where there is no GPU for it and nobody chose a driver; else null.
 * The dynamic loader reads it when a process starts.
 */
export async function softwareGpu(): Promise<Record<string, string> | null> {
  if (process.env.VK_ICD_FILENAMES !== undefined) return null;
  if ((await webgpu().probe()).available) return null;
  const bed = await testBed("swiftshader.ts");
  const env = await bed?.swiftshaderEnv();
  return typeof env === "object" ? env : null;
}
