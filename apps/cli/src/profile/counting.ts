import {
  type Inputs,
  type Part,
  type PartialResult,
  type Shard,
  shardsOf,
  type Task,
} from "@polybin/cluster/shards";
import { isPolybinError, PolybinError } from "@polybin/core";
import type { Choice } from "../engine/index.ts";
import type { OwnShard, Reading } from "../options/index.ts";
import { countShard, LeftOut, tellGuesses } from "../tables/index.ts";
import type { Watch } from "../terminal/index.ts";

interface How {
  readonly threads: number | undefined;
  readonly headers: Reading["headers"];
  readonly signal: AbortSignal;
}

/** Counts shards of a table, or of several, in this process. */
export class Counting {
  readonly #inputs: Inputs;
  readonly #choice: Choice;
  readonly #how: How;
  readonly #leftOut = new LeftOut();
  /** The backend and the device that counted, if any did here. */
  by: { readonly backend: string; readonly device: string } = { backend: "shards", device: "merged" };

  constructor(inputs: Inputs, choice: Choice, how: How) {
    this.#inputs = inputs;
    this.#choice = choice;
    this.#how = how;
  }

  async shard(task: Task, shard: Shard, watch: Watch): Promise<PartialResult> {
    const how = { choice: this.#choice, counting: {}, ...this.#how, watch, leftOut: this.#leftOut };
    const { partial } = await countShard(this.#inputs, task, shard, how);
    // The choice has opened its engine, which it keeps.
    this.by = await this.#choice.engine(null, "f64");
    return partial;
  }

  /** Says what was guessed and left out. */
  tell(): void {
    tellGuesses(this.#inputs.tables);
    this.#leftOut.tell();
  }

  /** The part of a shard. */
  async part(task: Task, { shard }: OwnShard, watch: Watch): Promise<Part> {
    const { index, of } = shard ?? { index: 0, of: 1 };
    const own = shardsOf(task, this.#inputs.tables, { shards: of })[index]!;
    return { task, partial: await this.shard(task, own, watch) };
  }
}

/** Takes the file of a pass that was counted and merged before. @throws the error with the file's name */
export function takeFile(path: string, pass: number, of: "profile" | "comparison", take: () => void): void {
  try {
    take();
  } catch (error) {
    if (!isPolybinError(error)) throw error;
    const what = `${path}, as pass ${pass} of this ${of}`;
    throw new PolybinError(error.code, `${what}: ${error.message}`, { cause: error });
  }
}

/** The error for a shard where nothing is left to count. */
export const nothingLeft = (what: "profile" | "comparison"): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    "expected a pass that is left to count but the files of --after have them all; " +
      `the same command without --shard and --out prints the ${what}`,
  );
