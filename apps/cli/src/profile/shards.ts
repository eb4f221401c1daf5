import {
  type CountTask,
  checkShared,
  checkVersions,
  Inputs,
  type Part,
  type PartialResult,
  type ProfilePasses,
  profileInShards,
  profilePasses,
  type Shard,
  shardsOf,
  type Task,
} from "@polybin/cluster/shards";
import { isPolybinError, PolybinError } from "@polybin/core";
import { Choice } from "../engine/index.ts";
import { type OwnShard, parseShard, type Reading } from "../options/index.ts";
import { checkOutput, keptInputs } from "../output/index.ts";
import { countShard, LeftOut, nameOf, readPart, tellGuesses, writePart } from "../tables/index.ts";
import { progressBar, type Watch } from "../terminal/index.ts";
import { checkReport, printProfile } from "./print.ts";
import { type ProfileOptions, type ProfileRequest, rangesIn } from "./request.ts";

/** The options that print a profile. */
const PRINTING = ["json", "html"] as const;

/** `polybin profile` of a shard, or after passes that were counted in shards. */
export async function profileShards(
  files: readonly string[],
  options: ProfileOptions,
  request: ProfileRequest,
  signal: AbortSignal,
): Promise<void> {
  const own = parseShard(options, PRINTING);
  const after = options.after ?? [];
  const kept = [...keptInputs(files), ...after.map((path) => ({ path, is: "a file of --after" }))];
  const target = own.out === null ? null : await checkOutput(kept, "--out", own.out);
  const html = await checkReport(files, options);
  await checkShared(files);
  const { backend, threads, reading, ranges, ...counts } = request;
  const joint = counts.joint.length > 0;
  await using choice = await Choice.of({
    ...{ backend, threads, algorithm: "auto", segments: null, joint },
    table: true,
  });
  await using inputs = await Inputs.open(files, { ...reading, threads, signal });
  checkVersions(inputs.files);
  const passes = await profilePasses(inputs, { ...counts, ranges: rangesIn(inputs.tables, ranges) });
  for (const path of after) await take(path, passes);
  const counting = new Counting(inputs, choice, { threads, headers: request.reading.headers, signal });
  const { watch, clear } = await progressBar(nameOf(files), "B");
  try {
    if (target !== null) {
      await writePart(target, await counting.part(passes, own, watch));
      return counting.tell();
    }
    const count: CountTask = (task, [shard]) => counting.shard(task, shard!, watch);
    const found = await profileInShards(inputs, passes, { shards: 1 }, count, () => counting.by);
    clear();
    counting.tell();
    await printProfile(found, { json: options.json, html, byAuto: false, signal });
  } finally {
    clear();
  }
}

/** Takes a pass that was counted and merged before. @throws ERR_INPUT for one of another profile, or without all shards */
async function take(path: string, passes: ProfilePasses): Promise<void> {
  const { partial } = await readPart(path);
  try {
    passes.add(partial);
  } catch (error) {
    if (!isPolybinError(error)) throw error;
    const what = `${path}, as pass ${passes.counted + 1} of this profile`;
    throw new PolybinError(error.code, `${what}: ${error.message}`, { cause: error });
  }
}

interface How {
  readonly threads: number | undefined;
  readonly headers: Reading["headers"];
  readonly signal: AbortSignal;
}

/** Counts shards in this process. */
class Counting {
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

  /** @throws ERR_INPUT if no pass is left */
  async part({ task }: ProfilePasses, { shard }: OwnShard, watch: Watch): Promise<Part> {
    if (task === null) {
      throw new PolybinError(
        "ERR_INPUT",
        "expected a pass that is left to count but the files of --after have them all; " +
          "the same command without --shard and --out prints the profile",
      );
    }
    const { index, of } = shard ?? { index: 0, of: 1 };
    const own = shardsOf(task, this.#inputs.tables, { shards: of })[index]!;
    return { task, partial: await this.shard(task, own, watch) };
  }
}
