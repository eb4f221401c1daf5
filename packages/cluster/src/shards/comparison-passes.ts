import { type ComparisonJson, compareSides } from "@polybin/columns/compare";
import type { ProfileJson } from "@polybin/columns/profile";
import { PolybinError } from "@polybin/core";
import type { Inputs } from "./inputs.ts";
import type { PartialResult } from "./partial.ts";
import { type CountedBy, ProfilePasses, type ShardedProfileOptions } from "./profile-passes.ts";
import type { Task } from "./task.ts";

/** Something of each of two tables. Null: the table has no pass left. */
export type Two<T> = readonly [a: T | null, b: T | null];

/** The options of a comparison that is counted in shards. */
export type ShardedCompareOptions = Pick<ShardedProfileOptions, "columns" | "bins" | "top" | "distinctLimit">;

/** The passes of two profiles that are compared. Their second passes share the ranges that the first ones found. */
export class ComparisonPasses {
  readonly #sides: readonly [ProfilePasses, ProfilePasses];
  #count = 0;

  /** @throws ERR_INPUT as `ProfilePasses` */
  constructor(a: Inputs, b: Inputs, options: ShardedCompareOptions) {
    const sides = [a, b];
    this.#sides = [new ProfilePasses(a, options, null, sides), new ProfilePasses(b, options, null, sides)];
  }

  /** The tasks of the next pass. */
  get tasks(): Two<Task> {
    const [a, b] = this.#sides;
    return [a.task, b.task];
  }

  /** Whether nothing is left to count. */
  get isDone(): boolean {
    return this.tasks.every((task) => task === null);
  }

  /** Number of passes that have been counted. */
  get count(): number {
    return this.#count;
  }

  /** Takes what the next pass counted. @throws ERR_INPUT for the counts of another task, or if a shard is missing */
  add(partials: Two<PartialResult>): void {
    if (this.isDone) throw new PolybinError("ERR_INPUT", "expected no counts after the last pass");
    const { tasks } = this;
    if (partials.some((partial, i) => (partial === null) !== (tasks[i] === null)))
      throw new PolybinError("ERR_INPUT", "expected the counts of the pass but received those of another");
    const counted = this.#sides.filter((_, i) => tasks[i] !== null);
    for (const [i, side] of this.#sides.entries()) {
      const partial = partials[i];
      if (partial != null) side.take(partial);
    }
    const firsts = this.#sides.map(({ first }) => first);
    for (const side of counted) side.plan(firsts);
    this.#count++;
  }

  /** The comparison, after the last pass. */
  json(by: CountedBy, timings: ProfileJson["timings"]): ComparisonJson {
    const [a, b] = this.#sides;
    return compareSides(a.counted(by, timings), b.counted(by, timings));
  }
}
