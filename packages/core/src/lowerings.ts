import type { Axis } from "./axis.ts";
import { KEPT_LOWERINGS } from "./limits.ts";
import { type Lowering, lower } from "./lowering.ts";
import type { SampleType } from "./samples.ts";

/** Lowerings that were made lately: one of 65,536 entries takes longer than the counting of a small input. */
export class Lowerings {
  readonly #kept = new Map<string, Lowering>();

  /** @throws ERR_AXIS as `lower` does. */
  of(axis: Axis, type: SampleType): Lowering {
    const key = `${type} ${describe(axis)}`;
    const lowering = this.#kept.get(key) ?? lower(axis, type);
    // The oldest entry of a Map is its first.
    this.#kept.delete(key);
    this.#kept.set(key, lowering);
    if (this.#kept.size > KEPT_LOWERINGS) this.#kept.delete(this.#kept.keys().next().value!);
    return lowering;
  }
}

/** What tells axes apart. */
function describe(axis: Axis): string {
  switch (axis.type) {
    case "integer":
      return `integer ${axis.start} ${axis.stop}`;
    case "regular":
      return `regular ${axis.bins} ${sign(axis.lo)} ${sign(axis.hi)} ${axis.spacing}`;
    case "variable":
      return `variable ${axis.edges.map(sign).join(" ")}`;
  }
}

/** Minus zero is another number than zero. */
function sign(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}
