import {
  type ChannelCounter,
  type ChannelResult,
  channelCounter,
  visibleCounters,
} from "../counting/index.ts";
import type { VisibleInstances, Wasm } from "../platform/index.ts";
import type { Answer, CountWork, Task } from "../task/index.ts";
import { eachChunk, eachChunkWhereItLies } from "./reader.ts";

/** Counts the chunks that this worker takes: in place if possible, otherwise a copy of each. */
export function countChunks(
  task: Task,
  work: CountWork,
  instance: (channel: number) => Wasm,
  visibleInstances: VisibleInstances,
): Answer {
  const start = performance.now();
  const results = countWhereTheyLie(task, work, visibleInstances) ?? countCopies(task, work, instance);
  return {
    kind: "count",
    tables: results.flatMap(({ cells }) => cells ?? []),
    flow: results.map(({ flow }) => flow),
    ms: performance.now() - start,
  };
}

function countWhereTheyLie(task: Task, work: CountWork, instances: VisibleInstances): ChannelResult[] | null {
  const { source, channels, interleaved } = task;
  if (source.kind === "file" || !source.visible) return null;
  const counters = visibleCounters(instances, source.visible, work, channels, interleaved);
  if (counters === null) return null;
  const { rowPitch, pixelBytes } = source.geometry;
  const start = source.bytes.byteOffset;
  eachChunkWhereItLies(task, ({ row, rows, column, columns }) => {
    for (let i = row; i < row + rows; i++) counters.add(columns, start + i * rowPitch + column * pixelBytes);
  });
  return counters.finish();
}

/** Counts one channel after another. */
function countCopies(task: Task, work: CountWork, instance: (channel: number) => Wasm): ChannelResult[] {
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
  return channels.map((channel) => channel.finish());
}

/** Copies a chunk, because each channel has its own memory, where its kernel reads the chunk. */
function copyChunk(from: Wasm, to: Wasm, bytes: number): void {
  new Uint8Array(to.memory.buffer, to.chunk, bytes).set(
    new Uint8Array(from.memory.buffer, from.chunk, bytes),
  );
}
