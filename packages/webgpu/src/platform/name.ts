/** What a person calls an adapter, from what it tells of itself: browsers tell little. */
export function nameOf({ description, device, vendor, architecture }: GPUAdapterInfo): string {
  const made = [vendor, architecture].filter((part) => part !== "").join(" ");
  if (description !== "" && device !== "" && !device.startsWith("0x")) return `${device} (${description})`;
  return description || made || device || "a WebGPU device";
}
