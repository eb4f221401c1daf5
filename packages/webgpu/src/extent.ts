import type { Extent } from "@polybin/core";
import { type Input, limits, NO_EXTENT, valueOfKey } from "@polybin/core/backend";
import type { Buffers } from "./buffers.ts";
import type { WebgpuLimits } from "./capabilities.ts";
import { bind, encode, paramsOf } from "./encode.ts";
import type { Hardware } from "./hardware.ts";
import { flipOf, keysPart, samplePart } from "./lowering.ts";
import { PARAMS_STRIDE } from "./params.ts";
import { gridFor, type Launch } from "./program.ts";
import { readBack } from "./readback.ts";
import { type Source, shapeOf } from "./source.ts";

/** Minimum and maximum of the leading words of keys, then of the trailing ones. */
const NONE_YET: Uint32Array<ArrayBuffer> = Uint32Array.of(limits.U32_MAX, 0, limits.U32_MAX, 0);

/** The finite minimum and maximum of the given channels, chunk by chunk. */
export async function* extents(
  hardware: Hardware,
  buffers: Buffers,
  source: Source,
  input: Input,
  channels: readonly number[],
  of: WebgpuLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly extent: Extent; readonly pixels: number }> {
  const { device, pipelines } = hardware;
  const { type, interleaved } = shapeOf(input);
  const wide = type === "f64";
  const threads = Math.min(limits.BLOCK_THREADS, of.blockThreads);
  const kernels = await Promise.all(
    [0, 1].slice(0, wide ? 2 : 1).map((TRAILING) =>
      pipelines.of({
        parts: [
          "lib/params",
          samplePart(type),
          keysPart(type),
          wide ? "lib/leading-64" : "lib/leading-32",
          "extent",
        ],
        entry: "extent",
        constants: { THREADS: threads, INTERLEAVED: interleaved, TRAILING },
      }),
    ),
  );
  const wanted = channels.reduce((bits, channel) => bits + 2 ** channel, 0);
  for await (const chunk of source.chunks(input, signal)) {
    const count = chunk.pixels * interleaved;
    const launches: Launch[] = [
      ...chunk.before,
      ...kernels.map(
        (pipeline): Launch => ({
          pipeline,
          params: { count, channel: wanted, flip: flipOf(type) },
          data: chunk.data,
          scratch: "none",
          grid: [gridFor(count, threads, of)],
        }),
      ),
    ];
    const params = paramsOf(launches);
    const read = await readBack(hardware, (encoder) => {
      const none = { buffer: buffers.nothingWritten };
      const counts = buffers.counts.of(NONE_YET.byteLength);
      const to = buffers.readback.of(NONE_YET.byteLength);
      const bound = {
        pipelines,
        nothing: buffers.nothingRead,
        lookup: buffers.nothingRead,
        counts,
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
      encode(pass, bind(device, launches, bound, PARAMS_STRIDE));
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
    const extent =
      leastHigh > mostHigh
        ? NO_EXTENT
        : {
            min: valueOfKey(type, key(leastHigh, leastLow)),
            max: valueOfKey(type, key(mostHigh, mostLow)),
          };
    yield { extent, pixels: chunk.pixels };
  }
}
