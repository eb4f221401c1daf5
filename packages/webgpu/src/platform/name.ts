/** Returns a readable name of an adapter from what it reports of itself. Browsers report little. */
export function nameOf({ description, device, vendor, architecture }: GPUAdapterInfo): string {
  const made = [vendor, architecture].filter((part) => part !== "").join(" ");
  if (description !== "" && device !== "" && !device.startsWith("0x")) return `${device} (${description})`;
  return description || made || device || "a WebGPU device";
}
