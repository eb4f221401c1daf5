import { limits, type Samples } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import type { OwnChunk } from "./resident.ts";
import { pixelBytesOf, type Source } from "./source.ts";

/** Copies samples to buffers that one dispatch each can read. It appends each to `chunks` as soon as it exists. */
export async function uploadChunks(
  hardware: Hardware,
  source: Source,
  samples: Samples,
  { chunkBytes, chunkSamples }: WebgpuLimits,
  signal: AbortSignal | undefined,
  chunks: OwnChunk[],
): Promise<void> {
  const pixelBytes = pixelBytesOf(samples);
  const room = Math.floor((chunkBytes - limits.GPU_PADDING_BYTES) / pixelBytes);
  const most = Math.min(room, chunkSamples);
  const aligned = most - (most % own.ALIGN_PIXELS);
  for (let first = 0; first < samples.pixels; first += aligned) {
    const pixels = Math.min(aligned, samples.pixels - first);
    const { value: buffer, errors } = hardware.scoped(() =>
      hardware.device.createBuffer({
        size: padded(pixels * pixelBytes),
        usage: USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST,
      }),
    );
    chunks.push({ data: { buffer }, pixels });
    await errors;
    await source.fill(samples, first, pixels, buffer, signal);
  }
  await hardware.watched(hardware.device.queue.onSubmittedWorkDone());
}
