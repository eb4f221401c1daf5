import { type Hardware, MAP } from "../platform/index.ts";

/** What commands copy for the host: so many bytes from the start of a buffer with MAP_READ usage. */
export interface Copied {
  readonly to: GPUBuffer;
  readonly bytes: number;
}

/**
 * Submits the commands that `record` puts into an encoder, and waits for what they copied. Where it rejects, `to` may
 * be a buffer that the device refused, or be mapped still: whoever keeps it destroys it.
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
    // In the scope, too: to map a buffer that was refused is an error of its own, which is nobody else's.
    return { to, bytes, mapping: to.mapAsync(MAP.READ, 0, bytes) };
  });
  const { to, bytes } = value;
  const mapped = hardware.watched(value.mapping);
  mapped.catch(() => {});
  // What was refused is the reason why there is nothing to map.
  await errors;
  await mapped;
  const copy = to.getMappedRange(0, bytes).slice(0);
  to.unmap();
  return copy;
}
