import type { WebgpuLimits } from "../base/index.ts";
import type { Buffers, Filler, Readbacks, Source, SpareRows } from "../memory/index.ts";
import type { Hardware } from "../platform/index.ts";

/** What the calls on a device share, one after the other. */
export interface Context {
  readonly hardware: Hardware;
  readonly buffers: Buffers;
  readonly filler: Filler;
  readonly source: Source;
  /** Of counts that come home range by range. */
  readonly readbacks: Readbacks;
  readonly spareRows: SpareRows;
  readonly of: WebgpuLimits;
}
