import type { Extent } from "@polybin/core";
import { type Input, limits, NO_EXTENT, valueOfKey } from "@polybin/core/backend";
import { type Dispatch, extent, extentParams, gridFor, packed, plainThreads } from "../kernels/index.ts";
import { shapeOf } from "../memory/index.ts";
import type { Context } from "./context.ts";
import { bind, encode } from "./encode.ts";
import { readBack } from "./readback.ts";

/** Minimum and maximum of the keys' leading words, then of the trailing words. */
const NONE_YET: Uint32Array<ArrayBuffer> = Uint32Array.of(limits.U32_MAX, 0, limits.U32_MAX, 0);

/** Yields the finite minimum and maximum of the given channels, chunk by chunk. */
export async function* extents(
  { hardware, buffers, source, of }: Context,
  input: Input,
  channels: readonly number[],
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly extent: Extent; readonly pixels: number }> {
  const { device, pipelines } = hardware;
  const { type, interleaved } = shapeOf(input);
  const wide = type === "f64";
  const threads = plainThreads(of);
  const kernels = await Promise.all(
    extent(threads, type, interleaved).map(async (kernel) => ({
      kernel,
      pipeline: await pipelines.of(kernel),
    })),
  );
  for await (const chunk of source.chunks(input, signal)) {
    const count = chunk.pixels * interleaved;
    const dispatches = [
      ...chunk.before,
      ...kernels.map(
        (ready): Dispatch => ({
          ...ready,
          params: extentParams(count, channels, type),
          data: chunk.data,
          scratch: "none",
          grid: [gridFor(count, threads, of)],
        }),
      ),
    ];
    const params = packed(dispatches);
    const read = await readBack(hardware, (encoder) => {
      const none = { buffer: buffers.nothingWritten };
      const counts = buffers.counts.of(NONE_YET.byteLength);
      const to = buffers.readback.of(NONE_YET.byteLength);
      const bound = {
        pipelines,
        nothing: buffers.nothingRead,
        lookup: buffers.nothingRead,
        counts: { buffer: counts },
        scratch: {
          none,
          codes: none,
          histograms: none,
          dense: chunk.dense === null ? none : { buffer: chunk.dense },
          into: none,
        },
        params: buffers.params.of(params.byteLength),
      };
      device.queue.writeBuffer(bound.params, 0, params);
      device.queue.writeBuffer(counts, 0, NONE_YET);
      const pass = encoder.beginComputePass();
      encode(pass, bind(device, dispatches, bound));
      pass.end();
      encoder.copyBufferToBuffer(counts, 0, to, 0, NONE_YET.byteLength);
      return { to, bytes: NONE_YET.byteLength };
    });
    const [leastHigh, mostHigh, leastLow, mostLow] = new Uint32Array(read) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const key = (high: number, low: number) => (wide ? (BigInt(high) << 32n) | BigInt(low) : BigInt(high));
    const found =
      leastHigh > mostHigh
        ? NO_EXTENT
        : {
            min: valueOfKey(type, key(leastHigh, leastLow)),
            max: valueOfKey(type, key(mostHigh, mostLow)),
          };
    yield { extent: found, pixels: chunk.pixels };
  }
}
