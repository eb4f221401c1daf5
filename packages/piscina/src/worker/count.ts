import { kernelOf } from "../kernels/index.ts";
import type { Wasm } from "../platform/index.ts";
import type { Answer, CountWork, Task } from "../task/index.ts";
import { Lowerer } from "./lowerer.ts";
import { eachChunk } from "./reader.ts";

/** Counts the chunks that this worker gets: read, lower to codes, count the codes; a channel at a time. */
export function countChunks(
  task: Task,
  { plan, lowering, tables }: CountWork,
  instance: (channel: number) => Wasm,
): Answer {
  const kernel = kernelOf(plan);
  const channels = task.channels.map((channel, i) => {
    const wasm = instance(i);
    return {
      wasm,
      lowerer: new Lowerer(wasm, plan, lowering, channel, task.interleaved),
      shared: tables?.[i] ?? null,
    };
  });
  const first = channels[0]!.wasm;
  eachChunk(task, first, (pixels) => {
    for (const { wasm, lowerer, shared } of channels) {
      if (wasm !== first) copyChunk(first, wasm, pixels * task.source.geometry.pixelBytes);
      kernel.count(wasm, lowerer.codes(pixels), plan, shared);
    }
  });
  const own = tables === null;
  const answer: Answer = {
    kind: "count",
    tables: own
      ? channels.map(({ wasm, lowerer }) => {
          kernel.finish(wasm, lowerer.codeBytes, plan);
          return new Uint32Array(wasm.memory.buffer, wasm.counts, plan.cells).slice();
        })
      : [],
    flow: channels.map(({ lowerer }) => lowerer.flow()),
  };
  for (const { wasm } of channels) wasm.reset();
  return answer;
}

/** Each channel has a memory of its own, and its kernel reads the chunk there. */
function copyChunk(from: Wasm, to: Wasm, bytes: number): void {
  new Uint8Array(to.memory.buffer, to.chunk, bytes).set(
    new Uint8Array(from.memory.buffer, from.chunk, bytes),
  );
}
