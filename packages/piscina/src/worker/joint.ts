import { CellCounter, CellReader, type CellTask, giveTable, takeTable } from "../counting/index.ts";
import type { VisibleInstances } from "../platform/index.ts";
import { type Answer, addDone, isStopped, takeNext } from "../task/index.ts";

/** Counts the chunks that this worker takes, or the one in its slot. The counts stay in the call's memory. */
export function countCells(task: CellTask, instances: VisibleInstances): Answer {
  const start = performance.now();
  const { work, layout, memory, slot } = task;
  const table = work.isShared ? 0 : takeTable(memory, layout);
  const counter = new CellCounter(instances.exportsOf(memory), work, layout, slot, table);
  const masked = task.sources === null ? countSlot(task, counter) : countChunks(task, counter);
  if (!work.isShared) giveTable(memory, layout, table);
  return { kind: "cells", masked, ms: performance.now() - start };
}

function countSlot({ from, to, control }: CellTask, counter: CellCounter): number {
  if (isStopped(control)) return 0;
  const masked = counter.count(to - from);
  addDone(control, to - from);
  return masked;
}

function countChunks(
  { sources, layout, memory, work, slot, from, to, control }: CellTask,
  counter: CellCounter,
): number {
  const reader = new CellReader(memory.memory, layout, sources!, work, slot);
  let masked = 0;
  while (!isStopped(control)) {
    const first = from + takeNext(control) * layout.pixels;
    if (first >= to) break;
    const pixels = Math.min(layout.pixels, to - first);
    reader.read(first, pixels);
    masked += counter.count(pixels);
    addDone(control, pixels);
  }
  return masked;
}
