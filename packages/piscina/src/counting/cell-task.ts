import type { CellWork } from "../kernels/index.ts";
import type { Visible } from "../platform/index.ts";
import type { Control } from "../task/index.ts";
import type { CellLayout } from "./cell-memory.ts";
import type { CellSources } from "./cell-reader.ts";

/** A worker's task of a joint count. The workers of one call share its memory and take chunks in turn. */
export interface CellTask {
  readonly work: CellWork;
  readonly layout: CellLayout;
  readonly memory: Visible;
  readonly slot: number;
  /** The samples. Null: the first `pixels` pixels of the slot are the only chunk. */
  readonly sources: CellSources | null;
  /** The pixels [from, to) of the sources. */
  readonly from: number;
  readonly to: number;
  readonly control: Control;
}
