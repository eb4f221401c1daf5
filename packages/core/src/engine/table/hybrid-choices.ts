import type { HybridChoice } from "../../algorithms/index.ts";

/** What a choice is for: which method is faster depends on the arithmetic, and on whether the fullest bin is passed over. */
export type HybridKind = Pick<HybridChoice, "precision" | "skip">;

/** What the hybrid has found for the features of a table, for each kind of sums apart. */
export class HybridChoices {
  readonly #found = new Map<string, HybridChoice>();

  of(feature: number, kind: HybridKind): HybridChoice | undefined {
    return this.#found.get(keyOf({ feature, ...kind }));
  }

  keep(choice: HybridChoice): void {
    this.#found.set(keyOf(choice), choice);
  }

  /** By feature; a feature's own in the order in which they were made. */
  all(): HybridChoice[] {
    return [...this.#found.values()].sort((a, b) => a.feature - b.feature);
  }
}

function keyOf({ feature, precision, skip }: HybridKind & Pick<HybridChoice, "feature">): string {
  return [feature, precision, skip].join(" ");
}
