import type { Extent, SampleType } from "@polybin/core";
import { extentOf, joinExtents, NO_EXTENT, SAMPLE_TRAITS, samples } from "@polybin/core/backend";

/** Finds the finite minimum and maximum of a stream's values in bounded memory. */
export async function streamExtent(
  stream: AsyncIterable<Uint8Array>,
  type: SampleType,
  signal: AbortSignal,
): Promise<Extent> {
  const { bytes: size } = SAMPLE_TRAITS[type];
  let found = NO_EXTENT;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of stream) {
    signal.throwIfAborted();
    const piece = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = piece.length - (piece.length % size);
    found = joinExtents(found, extentOf(samples({ data: piece.subarray(0, whole), type }), [0]));
    rest = piece.slice(whole);
  }
  return found;
}
