import { padded } from "../../memory/index.ts";
import { MAP, Timer } from "../../platform/index.ts";
import type { Context } from "../context.ts";

/** Words that commands leave for the host. */
export interface Left {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
  readonly bytes: number;
  /** Whether the buffer holds zeros afterwards. Default: false. */
  readonly clears?: boolean;
}

/**
 * Passes words to `take`, with the milliseconds of each of the timer's passes. The words are gone when `take` returns.
 * The commands are submitted before this returns.
 * @param left the words, or a function that encodes the commands that leave them
 */
export async function deliver<T>(
  { hardware, readbacks }: Pick<Context, "hardware" | "readbacks">,
  timer: Timer | null,
  left: Left | ((encoder: GPUCommandEncoder) => Left),
  take: (words: Uint32Array<ArrayBuffer>, ms: readonly number[]) => T,
): Promise<T> {
  const { device } = hardware;
  const { value, errors } = hardware.scoped(() => {
    const encoder = device.createCommandEncoder();
    const { buffer, offset = 0, bytes, clears = false } = typeof left === "function" ? left(encoder) : left;
    // Timestamps have eight bytes.
    const stampsAt = padded(bytes);
    const size = stampsAt + (timer?.bytes ?? 0);
    const to = readbacks.idle(size) ?? readbacks.make(size);
    encoder.copyBufferToBuffer(buffer, offset, to, 0, bytes);
    if (clears) encoder.clearBuffer(buffer);
    timer?.resolve(encoder, to, stampsAt);
    device.queue.submit([encoder.finish()]);
    // This lies in the scope, because mapping a refused buffer is an error of its own, which no other scope may see.
    return { to, size, bytes, stampsAt, mapping: to.mapAsync(MAP.READ, 0, size) };
  });
  const { to, size, bytes, stampsAt, mapping } = value;
  mapping.catch(() => {});
  // If the device refused the commands, this rejects with that reason instead of the failed mapping.
  const mapped = errors.then(() => mapping);
  return readbacks.read(to, size, mapped, (read) => {
    const words = new Uint32Array(read, 0, bytes / Uint32Array.BYTES_PER_ELEMENT);
    return take(words, timer === null ? [] : Timer.passes(new BigUint64Array(read, stampsAt)));
  });
}

/** Submits commands that leave nothing for the host, and waits until the device has accepted them. */
export function submitted(
  { hardware }: Pick<Context, "hardware">,
  record: (encoder: GPUCommandEncoder) => void,
): Promise<void> {
  return hardware.checked(() => {
    const encoder = hardware.device.createCommandEncoder();
    record(encoder);
    hardware.device.queue.submit([encoder.finish()]);
  });
}

/** Returns the sum of milliseconds. */
export function total(ms: readonly number[]): number {
  return ms.reduce((sum, one) => sum + one, 0);
}
