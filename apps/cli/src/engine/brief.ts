import { existsSync } from "node:fs";

/** Files that NVIDIA's driver makes on Linux. */
const NVIDIA = ["/dev/nvidiactl", "/proc/driver/nvidia/version"];

/** Why a backend does not work here, in a few words. @param reason the backend's own, with what helps */
export function briefReason(id: string, reason: string): string {
  if (id === "cuda" && process.platform === "linux" && !NVIDIA.some((path) => existsSync(path)))
    return "no NVIDIA GPU";
  if (id === "webgpu" && /no adapter/.test(reason) && /Vulkan/.test(reason)) return "no Vulkan driver";
  return reason.split(/ \(|[;:] /)[0]!;
}
