import { jointKernelOf } from "../kernels/index.ts";
import type { VisibleInstances } from "../platform/index.ts";
import { BLOCK_SAMPLES, giveTable, takeTable } from "./cell-memory.ts";
import { cellReaderOf } from "./cell-reader.ts";
import { eachStep } from "./steps.ts";
import type { CellsTask } from "./task.ts";

/** Counts the steps that this thread takes. @returns the number of masked samples, which are counted in the first cell */
export function countCells(task: CellsTask, instances: VisibleInstances): number {
  const { work, layout, memory, slot, sources, steps } = task;
  const table = work.isShared ? 0 : takeTable(memory, layout);
  const wasm = instances.exportsOf(memory);
  const count = counterOf(wasm, task, layout.table + table * layout.tableBytes);
  const read = sources && cellReaderOf(memory.memory, layout, sources, slot);
  let masked = 0;
  eachStep(steps, ({ first, end, slot: filled }) => {
    read?.(first, end);
    masked += count(filled ?? slot, end - first);
  });
  if (!work.isShared) giveTable(memory, layout, table);
  return masked;
}

/** Returns a function that counts the first pixels of a slot in a table, block by block. */
function counterOf(
  wasm: WebAssembly.Exports,
  { work, layout }: CellsTask,
  table: number,
): (slot: number, pixels: number) => number {
  const kernel = jointKernelOf(work.algorithm)!;
  const { inputs, lookups, mask, gathered, spread, cells, apart } = layout;
  const maskBits = work.mask === "bits" ? 1 : 8;
  return (place, pixels) => {
    const slot = layout.slot + place * layout.slotBytes;
    let masked = 0;
    for (let done = 0; done < pixels; done += BLOCK_SAMPLES) {
      masked += kernel.count(wasm, work, {
        inputs: work.columns.map(
          ({ bytes, interleaved }, k) => slot + inputs[k]! + done * bytes * interleaved,
        ),
        lookups,
        mask: slot + mask + (done * maskBits) / 8,
        gathered: slot + gathered,
        spread: slot + spread,
        cells: slot + cells,
        table,
        apart,
        samples: Math.min(BLOCK_SAMPLES, pixels - done),
      });
    }
    return masked;
  };
}
