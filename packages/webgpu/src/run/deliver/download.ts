import { type DeviceInput, type RunOptions, type Samples, samples } from "@polybin/core/backend";
import { failure } from "../../base/index.ts";
import { chunksOf, padded4, pixelBytesOf, shapeOf } from "../../memory/index.ts";
import { own } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { placed, recordPass } from "../dispatch/commands.ts";
import { deliver } from "./deliver.ts";

/** Copies samples on the device to the host. Kernels first copy a user's own samples, whatever their layout and usage. */
export async function download(
  context: Context,
  input: DeviceInput,
  { signal, onProgress }: RunOptions,
): Promise<Samples> {
  const { buffers } = context;
  signal?.throwIfAborted();
  const { type, channels, pixels } = shapeOf(input);
  const pixelBytes = pixelBytesOf({ type, channels });
  const data = allocated(pixels * pixelBytes);
  let done = 0;
  for await (const chunk of chunksOf(context, input, { signal, copied: true })) {
    const { before, dense } = chunk;
    const buffer = typeof chunk.data === "string" ? dense! : chunk.data.buffer;
    const start = done * pixelBytes;
    done += chunk.pixels;
    const end = done * pixelBytes;
    for (let at = start; at < end; at += own.PIECE_BYTES) {
      signal?.throwIfAborted();
      const size = Math.min(own.PIECE_BYTES, end - at);
      const record = (encoder: GPUCommandEncoder) => {
        if (at === start && before.length > 0) {
          const places = { nothing: buffers.nothing, counts: { buffer: buffers.counts.of(1) }, dense };
          recordPass(context, encoder, placed(before, places));
        }
        return { buffer, offset: at - start, bytes: padded4(size) };
      };
      await deliver(context, null, record, ({ buffer }) => data.set(new Uint8Array(buffer, 0, size), at));
    }
    onProgress?.(done);
  }
  return samples({ data, type, channels });
}

function allocated(bytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    const message = `expected memory of ${bytes} bytes but that much is not available`;
    throw failure("ERR_OUT_OF_MEMORY", message, cause);
  }
}
