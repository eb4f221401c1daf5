import type { Resident, SampleType } from "@polybin/core";
import type { ResidentTable, Samples } from "@polybin/core/backend";
import { type Held, type Keeper, Kept } from "./kept.ts";
import type { TablePart } from "./split.ts";

/** Memory of one device that holds a part of the samples. */
export interface ResidentPart extends Held {
  readonly pixels: number;
}

/** Samples in the memory of one or several devices. */
export class CudaResident extends Kept<ResidentPart> implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;

  constructor(
    keeper: Keeper,
    parts: readonly ResidentPart[],
    { type, channels, pixels }: Pick<Samples, "type" | "channels" | "pixels">,
  ) {
    super(keeper, parts, "resident samples but they were");
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

/** Rows of a table in the memory of one device. */
export interface ResidentTablePart extends Held, TablePart {}

/** A feature table in the memory of one or several devices. */
export class CudaTable extends Kept<ResidentTablePart> implements ResidentTable {
  constructor(keeper: Keeper, parts: readonly ResidentTablePart[]) {
    super(keeper, parts, "a feature table but it was");
  }
}
