import { axisKey, type OrderedAxis } from "../axis/index.ts";
import { Memory } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { KEPT_LOWERINGS } from "./limits.ts";
import { type Lowering, lower } from "./lowering.ts";

/**
 * Caches lowerings, because creating one with 65,536 entries takes longer than counting a small input. Several axes may
 * share a lowering: it is no key for what an axis decides beyond it.
 */
export class Lowerings {
  readonly #kept = new Memory<Lowering>(KEPT_LOWERINGS);

  /** Returns the lowering of an axis for a sample type. @throws ERR_AXIS as `lower` does. */
  of(axis: OrderedAxis, type: SampleType): Lowering {
    return this.#kept.of(`${type} ${axisKey(axis)}`, () => lower(axis, type));
  }
}
