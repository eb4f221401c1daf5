import type { Extent } from "@polybin/core";
import {
  type Input,
  joinExtents,
  limits,
  NO_EXTENT,
  type RunOptions,
  valueOfKey,
} from "@polybin/core/backend";
import { extent, extentParams, gridFor, plainThreads } from "../../kernels/index.ts";
import { chunksOf, shapeOf } from "../../memory/index.ts";
import type { Context } from "../context.ts";
import { placed, recordPass } from "../dispatch/commands.ts";
import { deliver } from "./deliver.ts";

/** Minimum and maximum of the keys' leading words, then of the trailing words. */
const NONE_YET: Uint32Array<ArrayBuffer> = Uint32Array.of(limits.U32_MAX, 0, limits.U32_MAX, 0);

/** Returns the finite minimum and maximum of the given channels. */
export async function extentOf(
  context: Context,
  input: Input,
  wanted: readonly number[],
  { signal, onProgress }: RunOptions,
): Promise<Extent> {
  const { hardware, buffers, of } = context;
  signal?.throwIfAborted();
  const { type, channels } = shapeOf(input);
  const threads = plainThreads(of);
  const kernels = await Promise.all(
    extent(threads, type, channels).map((kernel) => hardware.pipelines.ready(kernel)),
  );
  let found = NO_EXTENT;
  let done = 0;
  for await (const { data, pixels, before, dense } of chunksOf(context, input, { signal })) {
    signal?.throwIfAborted();
    const count = pixels * channels;
    const params = extentParams(count, wanted, type);
    const grid = [gridFor(count, threads, of)] as const;
    const dispatches = kernels.map((ready) => ({ ...ready, params, data, scratch: "none" as const, grid }));
    const record = (encoder: GPUCommandEncoder) => {
      const buffer = buffers.counts.of(NONE_YET.byteLength);
      hardware.device.queue.writeBuffer(buffer, 0, NONE_YET);
      const places = { nothing: buffers.nothing, counts: { buffer }, dense };
      recordPass(context, encoder, placed([...before, ...dispatches], places));
      return { buffer, bytes: NONE_YET.byteLength };
    };
    found = joinExtents(found, await deliver(context, null, record, (words) => extentIn(words, type)));
    done += pixels;
    onProgress?.(done);
  }
  return found;
}

function extentIn(words: Uint32Array, type: ReturnType<typeof shapeOf>["type"]): Extent {
  const [leastHigh, mostHigh, leastLow, mostLow] = words as unknown as [number, number, number, number];
  if (leastHigh > mostHigh) return NO_EXTENT;
  const key = (high: number, low: number) =>
    type === "f64" ? (BigInt(high) << 32n) | BigInt(low) : BigInt(high);
  return {
    min: valueOfKey(type, key(leastHigh, leastLow)),
    max: valueOfKey(type, key(mostHigh, mostLow)),
  };
}
