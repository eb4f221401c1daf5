import type { ColumnInfo } from "@polybin/columns";
import {
  bytesOf,
  type CountedSide,
  checkedProfileOptions,
  columnsOnSides,
  extentsOnSides,
  firstPass,
  momentsOnSides,
  type PassPlan,
  type ProfileJson,
  type ProfileOptions,
  ProfilePartial,
  type ProfileRequest,
  planAfter,
  profileJson,
  requestFor,
  type SamplePlan,
  samplePlanOf,
} from "@polybin/columns/profile";
import { type Engine, PolybinError } from "@polybin/core";
import { checkTask } from "./check-task.ts";
import { finish } from "./finish.ts";
import type { Inputs } from "./inputs.ts";
import type { PartialResult } from "./partial.ts";
import type { ProfilePayload } from "./payload.ts";
import type { Task, TaskColumn } from "./task.ts";

/** The options of a profile that is counted in shards. Shards keep no values, so `keepBytes` has no meaning. */
export type ShardedProfileOptions = Pick<
  ProfileOptions,
  | "columns"
  | "bins"
  | "ranges"
  | "joint"
  | "correlations"
  | "duplicates"
  | "over"
  | "sample"
  | "top"
  | "distinctLimit"
>;

/** Plans the sample of a profile whose shards do not read other shards. @throws ERR_LIMIT if the files do not state their rows */
export async function sampleIn(
  { tables }: Inputs,
  { sample }: ShardedProfileOptions,
): Promise<SamplePlan | null> {
  return sample === undefined ? null : samplePlanOf(tables, sample, { signal: undefined, canRead: false });
}

/** The backend and the device that counted. */
export type CountedBy = Pick<Engine, "backend" | "device">;

/** The passes of a profile. Each one's task depends on what the passes before it counted. */
export class ProfilePasses {
  readonly #inputs: Inputs;
  readonly #request: ProfileRequest;
  readonly #top: number;
  readonly #columns: readonly ColumnInfo[];
  readonly #passes: ProfilePartial[] = [];
  #rows: ProfilePayload["files"] = [];
  #task: Task | null;

  /**
   * @param sides the inputs of all profiles that are compared, these included. Their columns have the same bins
   * @throws ERR_INPUT for options, columns that do not exist, or one column with two types
   */
  constructor(
    inputs: Inputs,
    options: ShardedProfileOptions,
    sample: SamplePlan | null,
    sides: readonly Inputs[] = [inputs],
  ) {
    this.#inputs = inputs;
    const { request, columns, top } = checkedProfileOptions(options);
    const tables = sides.map((side) => side.tables);
    const all = columnsOnSides(tables, columns, request);
    this.#columns = all[sides.indexOf(inputs)]!;
    this.#request = requestFor(options, request, this.#columns.length);
    this.#top = top;
    const known = extentsOnSides(tables, all, inputs.tables, this.#columns);
    this.#task = profileTask(inputs, firstPass(this.#columns, known, this.#request, sample));
  }

  /** The task of the next pass. Null: nothing is left to count. */
  get task(): Task | null {
    return this.#task;
  }

  /** Number of passes that have been counted. */
  get count(): number {
    return this.#passes.length;
  }

  /** Takes what the next pass counted, and plans the one after it. @throws as `take` */
  add(partial: PartialResult): void {
    this.take(partial);
    this.plan([this.first]);
  }

  /** Takes what the next pass counted. @throws ERR_INPUT for another task's counts, or if a shard is missing */
  take(partial: PartialResult): void {
    const task = this.#task;
    if (task === null) throw new PolybinError("ERR_INPUT", "expected no counts after the last pass");
    const result = finish(task, partial);
    if (result.count !== "profile") throw new PolybinError("ERR_INTERNAL", "expected a profile of the pass");
    const pass = ProfilePartial.fromBytes(result.bytes, task.options as unknown as PassPlan);
    if (this.#passes.length === 0) this.#rows = result.files;
    this.#passes.push(pass);
  }

  /** The counts of the first pass, after it was taken. */
  get first(): ProfilePartial {
    return this.#passes[0]!;
  }

  /** Plans the next pass. @param firsts the first passes of all sides */
  plan(firsts: readonly ProfilePartial[]): void {
    const next = planAfter(this.#passes, this.#request, (column) => momentsOnSides(column, firsts));
    this.#task = next === null ? null : profileTask(this.#inputs, next);
  }

  /** The profile with the counts that it comes from, after the last pass. */
  counted(by: CountedBy, timings: ProfileJson["timings"]): CountedSide {
    return { passes: this.#passes, profile: this.json(by, timings) };
  }

  /** The profile, after the last pass. */
  json(by: CountedBy, timings: ProfileJson["timings"]): ProfileJson {
    const { tables } = this.#inputs;
    const rowsOf = new Map(this.#rows);
    const files = tables.map((table, i) => {
      const { name, format } = table;
      return { name, format, rows: rowsOf.get(i) ?? 0, bytes: bytesOf(table) };
    });
    return profileJson({
      passes: this.#passes,
      columns: this.#columns,
      tables,
      files,
      engine: by,
      reads: this.#passes.length,
      timings,
      top: this.#top,
    });
  }
}

/** The task of one pass, as a worker receives it. */
function profileTask({ files, read }: Inputs, plan: PassPlan): Task {
  const columns = plan.columns.map(({ name, logical }): TaskColumn => ({ name, type: logical, axis: null }));
  const task = { version: 1, count: "profile", files, columns, by: null, read, options: plan };
  return checkTask(JSON.parse(JSON.stringify(task)));
}
