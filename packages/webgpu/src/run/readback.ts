import { type Hardware, MAP } from "../platform/index.ts";

/** Data that commands copy for the host: `bytes` bytes from the start of a buffer with MAP_READ usage. */
export interface Copied {
  readonly to: GPUBuffer;
  readonly bytes: number;
}

/**
 * Submits the commands that `record` encodes and waits for what they copied. If it rejects, `to` may be a buffer that
 * the device refused or that is still mapped, so its owner must destroy it.
 */
export async function readBack(
  hardware: Hardware,
  record: (encoder: GPUCommandEncoder) => Copied,
): Promise<ArrayBuffer> {
  const { device } = hardware;
  const { value, errors } = hardware.scoped(() => {
    const encoder = device.createCommandEncoder();
    const { to, bytes } = record(encoder);
    device.queue.submit([encoder.finish()]);
    // This lies in the scope, because mapping a refused buffer is an error of its own, which no other scope may see.
    return { to, bytes, mapping: to.mapAsync(MAP.READ, 0, bytes) };
  });
  const { to, bytes } = value;
  const mapped = hardware.watched(value.mapping);
  mapped.catch(() => {});
  // If the device refused the commands, this throws that reason instead of the failed mapping.
  await errors;
  await mapped;
  const copy = to.getMappedRange(0, bytes).slice(0);
  to.unmap();
  return copy;
}
