import type { WebgpuLimits } from "../base/index.ts";
import type { Buffers, Filler, Readbacks, Source, SpareRows } from "../memory/index.ts";
import type { Hardware } from "../platform/index.ts";

/** The state that the calls on a device share, one call at a time. */
export interface Context {
  readonly hardware: Hardware;
  readonly buffers: Buffers;
  readonly filler: Filler;
  readonly source: Source;
  /** Readback buffers of counts that are copied to the host range by range. */
  readonly readbacks: Readbacks;
  readonly spareRows: SpareRows;
  readonly of: WebgpuLimits;
}

/** Frees the buffers that the calls share. The next call creates them again. */
export function freeShared({ filler, readbacks, spareRows, buffers }: Context): void {
  filler.free();
  readbacks.free();
  spareRows.free();
  buffers.free();
}
