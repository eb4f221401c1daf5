import { PolybinError } from "@polybin/core";
import { type DeviceInput, type RunOptions, type Samples, samples } from "@polybin/core/backend";
import { packed } from "../kernels/index.ts";
import { padded4, pixelBytesOf, type ReadyChunk, shapeOf } from "../memory/index.ts";
import { own } from "../platform/index.ts";
import type { Context } from "./context.ts";
import { bind, encode } from "./encode.ts";
import { readBack } from "./readback.ts";

/** Copies samples on the device to the host. Kernels first copy a user's own samples, whatever their layout and usage. */
export async function download(
  context: Context,
  input: DeviceInput,
  { signal, onProgress }: RunOptions,
): Promise<Samples> {
  signal?.throwIfAborted();
  const { type, interleaved: channels, pixels } = shapeOf(input);
  const pixelBytes = pixelBytesOf({ type, channels });
  const data = allocated(pixels * pixelBytes);
  let done = 0;
  for await (const chunk of context.source.chunks(input, signal, true)) {
    const end = (done + chunk.pixels) * pixelBytes;
    const start = done * pixelBytes;
    for (let at = start; at < end; at += own.PIECE_BYTES) {
      signal?.throwIfAborted();
      const size = Math.min(own.PIECE_BYTES, end - at);
      data.set(new Uint8Array(await readPiece(context, chunk, at - start, size), 0, size), at);
    }
    done += chunk.pixels;
    onProgress?.(done);
  }
  return samples({ data, type, channels });
}

function allocated(bytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new PolybinError(
      "ERR_OUT_OF_MEMORY",
      `expected memory of ${bytes} bytes but that much is not available`,
      { backend: "webgpu", cause },
    );
  }
}

/** Reads bytes of a chunk. The commands that read its first byte write a copy of a user's own samples before. */
function readPiece(context: Context, chunk: ReadyChunk, from: number, size: number): Promise<ArrayBuffer> {
  const { hardware, buffers } = context;
  const bytes = padded4(size);
  return readBack(hardware, (encoder) => {
    if (from === 0) copySamples(context, encoder, chunk);
    const to = buffers.readback.of(bytes);
    const source = typeof chunk.data === "string" ? chunk.dense! : chunk.data.buffer;
    encoder.copyBufferToBuffer(source, from, to, 0, bytes);
    return { to, bytes };
  });
}

function copySamples(
  { hardware: { device, pipelines }, buffers }: Context,
  encoder: GPUCommandEncoder,
  { before, dense }: ReadyChunk,
): void {
  if (before.length === 0) return;
  const words = packed(before);
  const params = buffers.params.of(words.byteLength);
  device.queue.writeBuffer(params, 0, words);
  const nothing = buffers.nothingRead;
  const none = { buffer: buffers.nothingWritten };
  const scratch = { none, codes: none, histograms: none, dense: { buffer: dense! }, into: none };
  const counts = { buffer: buffers.counts.of(1) };
  const pass = encoder.beginComputePass();
  encode(pass, bind(device, before, { pipelines, nothing, lookup: nothing, counts, scratch, params }));
  pass.end();
}
