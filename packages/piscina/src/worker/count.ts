import { type ChannelCounter, channelCounter } from "../counting/index.ts";
import type { Wasm } from "../platform/index.ts";
import type { Answer, CountWork, Task } from "../task/index.ts";
import { eachChunk } from "./reader.ts";

/** Counts the chunks that this worker gets, a channel at a time. */
export function countChunks(task: Task, work: CountWork, instance: (channel: number) => Wasm): Answer {
  const channels = task.channels.map((channel, i): ChannelCounter => {
    const shape = { channel, interleaved: task.interleaved, shared: work.tables?.[i] ?? null };
    return channelCounter(instance(i), work, shape);
  });
  const first = channels[0]!.wasm;
  eachChunk(task, first, (pixels) => {
    for (const channel of channels) {
      if (channel.wasm !== first) copyChunk(first, channel.wasm, pixels * task.source.geometry.pixelBytes);
      channel.add(pixels);
    }
  });
  const results = channels.map((channel) => channel.finish());
  return {
    kind: "count",
    tables: results.flatMap(({ cells }) => cells ?? []),
    flow: results.map(({ flow }) => flow),
  };
}

/** Each channel has a memory of its own, and its kernel reads the chunk there. */
function copyChunk(from: Wasm, to: Wasm, bytes: number): void {
  new Uint8Array(to.memory.buffer, to.chunk, bytes).set(
    new Uint8Array(from.memory.buffer, from.chunk, bytes),
  );
}
