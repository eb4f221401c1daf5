import {
  algorithms,
  type CellsColumn,
  type CellsJob,
  type JointColumnPlan,
  limits,
  SAMPLE_TRAITS,
} from "@polybin/core/backend";
import type { CellBlock, CellColumn, CellWork, ColumnSetup, JointKernel, Lookup } from "../lib/joint.ts";
import { type Lanes, loadLanes } from "../lib/rows/lanes.ts";
import { type Setup, setupOf } from "../lib/rows/setup.ts";

/** The exports of fused.as.ts and lib/rows that this file calls, apart from `cells_<kernel>`. */
interface Exports extends Lanes {
  readonly LOWERING: WebAssembly.Global;
  lanes_at(base: number): void;
  gather_column(address: number, out: number, samples: number, interleaved: number, bytes: number): void;
  spread_bits(address: number, out: number, samples: number): void;
  wide_begin(block: number, samples: number, first: number): void;
  cells_bytes(address: number, block: number, samples: number, stride: number, shift: number): void;
  wide_mask(mask: number, block: number, samples: number, first: number): number;
  count_wide(block: number, samples: number, apart: number): void;
  count_wide_shared(block: number, samples: number): void;
  narrow_begin(block: number, samples: number): void;
  narrow_bytes(address: number, block: number, samples: number, stride: number, shift: number): void;
  narrow_mask(mask: number, block: number, samples: number): number;
  count_narrow(block: number, samples: number, table: number, apart: number): void;
}

type Cells = (address: number, block: number, samples: number, stride: number) => void;

/** Runs fused.as.ts: a loop per column finds the cells of a block, and a last one counts them. */
export const kernel: JointKernel = {
  algorithm: algorithms.fused,

  prepare({ columns, plan }: CellsJob) {
    const setups = columns.map((column, k) => setupOfColumn(column, plan.columns[k]!));
    const parts: CellColumn[] = [];
    let cells = 1;
    for (let k = columns.length - 1; k >= 0; k--) {
      const { shift, extent, type } = plan.columns[k]!;
      const { interleaved, channel } = columns[k]!;
      const setup = setups[k]!;
      const rows = setup?.rows ?? extent;
      parts.unshift({
        bytes: SAMPLE_TRAITS[type].bytes,
        interleaved,
        channel,
        setup: setup && withoutLookup(setup),
        shift: shift ?? 0,
        rows,
        stride: cells,
      });
      cells *= rows;
    }
    const work: CellWork = {
      algorithm: plan.algorithm,
      columns: parts,
      mask: plan.listed && plan.mask === "bits" ? "bytes" : plan.mask,
      isNarrow: cells <= limits.HALF_VALUES && setups.every((setup) => setup === null),
      cells,
      tables: plan.replicas,
      isShared: plan.table === "global",
    };
    return { work, lookups: setups.map((setup) => setup ?? NO_LOOKUP) };
  },

  count(wasm, work, block) {
    const own = wasm as unknown as Exports;
    return work.isNarrow ? countNarrow(own, work, block) : countWide(own, work, block);
  },
};

const NO_LOOKUP: Lookup = { lowering: null, starts: null };

/** Returns how a column finds its rows, or null for bytes that are counted by value. */
function setupOfColumn({ lowering }: CellsColumn, { by, type }: JointColumnPlan): Setup | null {
  if (by === "raw") return null;
  const setup = setupOf(lowering);
  return SAMPLE_TRAITS[type].bytes === 1 ? { ...setup, kernel: "table_8" } : setup;
}

function withoutLookup({ kernel, rows, direct, line, keys, search }: Setup): ColumnSetup {
  return { kernel, rows, direct, line, keys, search };
}

function countNarrow(wasm: Exports, { columns, mask }: CellWork, block: CellBlock): number {
  const { cells, samples, table, apart } = block;
  wasm.narrow_begin(cells, samples);
  columns.forEach((column, k) => {
    wasm.narrow_bytes(addressOf(wasm, column, block, k), cells, samples, column.stride, column.shift);
  });
  const masked = mask === "none" ? 0 : wasm.narrow_mask(maskOf(wasm, mask, block), cells, samples);
  wasm.count_narrow(cells, samples, table, apart);
  return masked;
}

function countWide(wasm: Exports, { columns, mask, isShared }: CellWork, block: CellBlock): number {
  const { cells, samples, table, apart } = block;
  wasm.wide_begin(cells, samples, table);
  for (const [k, column] of columns.entries()) {
    const address = addressOf(wasm, column, block, k);
    const { setup, shift } = column;
    const step = column.stride * limits.WORD_BYTES;
    if (setup === null) wasm.cells_bytes(address, cells, samples, step, shift);
    else {
      // The column's thresholds and starts are in memory.
      wasm.lanes_at(block.lookups[k]! - wasm.LOWERING.value);
      loadLanes(wasm, setup);
      const find = (wasm as unknown as Record<string, Cells>)[`cells_${setup.kernel}`]!;
      find(address, cells, samples, step);
    }
  }
  const masked = mask === "none" ? 0 : wasm.wide_mask(maskOf(wasm, mask, block), cells, samples, table);
  if (isShared) wasm.count_wide_shared(cells, samples);
  else wasm.count_wide(cells, samples, apart);
  return masked;
}

/** Returns the address of a column's consecutive samples, which are gathered from several channels if necessary. */
function addressOf(
  wasm: Exports,
  { bytes, interleaved, channel }: CellColumn,
  block: CellBlock,
  k: number,
): number {
  const address = block.inputs[k]! + channel * bytes;
  if (interleaved === 1) return address;
  wasm.gather_column(address, block.gathered, block.samples, interleaved, bytes);
  return block.gathered;
}

/** Returns the address of a byte per sample. */
function maskOf(wasm: Exports, mask: CellWork["mask"], block: CellBlock): number {
  if (mask === "bytes") return block.mask;
  wasm.spread_bits(block.mask, block.spread, block.samples);
  return block.spread;
}
