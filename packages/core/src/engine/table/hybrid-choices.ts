import type { HybridChoice } from "../../algorithms/index.ts";

/**
 * The kind of sums that a choice applies to. The fastest method depends on the precision, and on whether the fullest
 * bin is skipped.
 */
export type HybridKind = Pick<HybridChoice, "precision" | "skip">;

/** Stores the choices of the hybrid for the features of a table, separately for each kind of sums. */
export class HybridChoices {
  readonly #found = new Map<string, HybridChoice>();

  of(feature: number, kind: HybridKind): HybridChoice | undefined {
    return this.#found.get(keyOf({ feature, ...kind }));
  }

  keep(choice: HybridChoice): void {
    this.#found.set(keyOf(choice), choice);
  }

  /** Returns all choices ordered by feature, and for each feature in the order in which they were made. */
  all(): HybridChoice[] {
    return [...this.#found.values()].sort((a, b) => a.feature - b.feature);
  }
}

function keyOf({ feature, precision, skip }: HybridKind & Pick<HybridChoice, "feature">): string {
  return [feature, precision, skip].join(" ");
}
