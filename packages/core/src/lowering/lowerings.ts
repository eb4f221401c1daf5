import type { OrderedAxis } from "../axis/index.ts";
import type { SampleType } from "../input/index.ts";
import { KEPT_LOWERINGS } from "./limits.ts";
import { type Lowering, lower } from "./lowering.ts";

/** Caches lowerings. Creating one with 65,536 entries takes longer than counting a small input. */
export class Lowerings {
  readonly #kept = new Map<string, Lowering>();
  /** Lowerings of variable axes, by object, because their edges take long to compare. */
  readonly #variable = new WeakMap<OrderedAxis, Map<SampleType, Lowering>>();

  /** Returns the lowering of an axis for a sample type. @throws ERR_AXIS as `lower` does. */
  of(axis: OrderedAxis, type: SampleType): Lowering {
    if (axis.type === "variable") return this.#ofEdges(axis, type);
    const key =
      axis.type === "integer"
        ? [axis.start, axis.stop]
        : [axis.bins, axis.lo, axis.hi, axis.spacing, axis.closed];
    const name = `${type} ${axis.type} ${key.join(" ")}`;
    const lowering = this.#kept.get(name) ?? lower(axis, type);
    // A Map's first entry is its oldest.
    this.#kept.delete(name);
    this.#kept.set(name, lowering);
    if (this.#kept.size > KEPT_LOWERINGS) this.#kept.delete(this.#kept.keys().next().value!);
    return lowering;
  }

  #ofEdges(axis: OrderedAxis, type: SampleType): Lowering {
    const types = this.#variable.get(axis) ?? new Map<SampleType, Lowering>();
    this.#variable.set(axis, types);
    const lowering = types.get(type) ?? lower(axis, type);
    types.set(type, lowering);
    return lowering;
  }
}
