import { createHash } from "node:crypto";
import type { ProfileJson } from "@polybin/columns/profile";
import { PolybinError, type Progress } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import {
  type ColumnPlan,
  type Cut,
  checkVersions,
  countPlan,
  decodePartial,
  type Inputs,
  missingShards,
  type PartialResult,
  type Plan,
  profileInShards,
  profilePasses,
  type Shard,
  type ShardedProfileOptions,
  type Task,
  type TaskResult,
} from "../shards/index.ts";
import { cancelJobs, type JobStatus, type Removed, removeJobs, statusOf } from "./admin.ts";
import { Client } from "./client.ts";
import { addressOf } from "./connect.ts";
import { MAX_TREE_WIDTH, PARTIAL_BYTES, TREE_WIDTH } from "./limits.ts";
import { reaching } from "./lost.ts";
import { Spill } from "./spill.ts";
import { runJob } from "./submit.ts";

/** Where the cluster's Redis is. */
export interface ClusterOptions {
  /**
   * `redis://HOST:PORT`, `rediss://HOST:PORT` (TLS) or `unix:/PATH`, with user and password if needed. Default: the
   * environment variable POLYBIN_REDIS_URL. The password may be in POLYBIN_REDIS_PASSWORD.
   */
  readonly redis?: string | undefined;
  /** The folder that the workers share for partial results too large for Redis. Default: none. */
  readonly spill?: string | undefined;
}

/** How a request is distributed, named and watched. */
export interface RequestOptions {
  /** Name of the job, of at most 64 letters, digits, ".", "_" and "-". Default: made from the request. */
  readonly name?: string | undefined;
  /** Partial results that one merge reads, 2 to 1,024. Default: 32. */
  readonly width?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of counted shards and of all shards of the pass. */
  readonly onProgress?: ((progress: ClusterProgress) => void) | undefined;
}

/** How far a pass over the data is. */
export interface ClusterProgress extends Progress {
  readonly name: string;
  readonly pass: string;
}

/** A histogram of columns of files. */
export interface HistRequest extends RequestOptions {
  /** The open files. Workers open the same places, so paths must be absolute. */
  readonly inputs: Inputs;
  readonly columns: readonly ColumnPlan[];
  /** The column of the groups. */
  readonly by?: string | null | undefined;
  /** Default: shards of 64 MiB. */
  readonly cut?: Cut | undefined;
}

/** A joint histogram of two columns of files. */
export interface JointRequest extends RequestOptions {
  /** As for `HistRequest`. */
  readonly inputs: Inputs;
  readonly columns: readonly [ColumnPlan, ColumnPlan];
  readonly cut?: Cut | undefined;
}

/** A profile of files. */
export interface ProfileRequest extends RequestOptions {
  /** As for `HistRequest`. */
  readonly inputs: Inputs;
  /** Options of the profile. The default of `distinctLimit` is 10,000. */
  readonly profile?: ShardedProfileOptions | undefined;
  readonly cut?: Cut | undefined;
}

/** The counts of a request. */
export interface Answer<Count extends TaskResult["count"]> {
  /** The counted task, with its bins. */
  readonly task: Task;
  /** Number of shards. */
  readonly shards: number;
  readonly result: Extract<TaskResult, { readonly count: Count }>;
}

export type HistAnswer = Answer<"hist">;
export type JointAnswer = Answer<"joint">;

/** How files are cut by default. */
const CUT: Cut = { bytes: 67_108_864 };

/** Different values of a column that a profile counts exactly, by default. */
const DISTINCT_LIMIT = 10_000;

const REQUEST_OPTIONS = ["name", "width", "signal", "onProgress"];

/** Counts on the workers of a Redis. */
export class Cluster implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** @throws ERR_INPUT for an invalid address. ERR_UNAVAILABLE if Redis cannot be reached or refuses the login. */
  static async open(options: ClusterOptions = {}, env: NodeJS.ProcessEnv = process.env): Promise<Cluster> {
    checkNames(options, ["redis", "spill"]);
    const address = addressOf(options.redis, env);
    const { spill } = options;
    const folder = spill === undefined ? null : await Spill.open(spill, PARTIAL_BYTES, null);
    return new Cluster(await Client.open(address, folder));
  }

  /**
   * Counts columns. If the data decide a range, a first pass finds it.
   * @throws ERR_INPUT if the name belongs to another request. The code of a shard's error if the shard failed three times;
   * the message lists what was done and what is missing. ERR_UNAVAILABLE if the job was cancelled or Redis is lost.
   */
  async hist(request: HistRequest): Promise<HistAnswer> {
    checkNames(request, [...REQUEST_OPTIONS, "inputs", "columns", "by", "cut"]);
    const { inputs, columns, by, cut = CUT, ...options } = request;
    const name = nameOf(options.name, ["hist", inputs.files, inputs.read, columns, by, cut]);
    return this.#planned(inputs, { count: "hist", columns, by }, cut, { ...options, name });
  }

  /**
   * Counts two columns together. If the data decide a range, a first pass finds it. A table of a large number of cells can
   * be too large for Redis: see `spill`.
   * @throws as `hist`
   */
  async joint(request: JointRequest): Promise<JointAnswer> {
    checkNames(request, [...REQUEST_OPTIONS, "inputs", "columns", "cut"]);
    const { inputs, columns, cut = CUT, ...options } = request;
    const name = nameOf(options.name, ["joint", inputs.files, inputs.read, columns, cut]);
    return this.#planned(inputs, { count: "joint", columns }, cut, { ...options, name });
  }

  async #planned<Count extends "hist" | "joint">(
    inputs: Inputs,
    plan: Plan & { readonly count: Count },
    cut: Cut,
    options: RequestOptions,
  ): Promise<Answer<Count>> {
    let last = 0;
    const { task, result } = await countPlan(inputs, plan, cut, (one, shards) => {
      last = shards.length;
      return this.count(one, shards, options);
    });
    if (result.count !== plan.count) {
      throw new PolybinError("ERR_INTERNAL", `expected counts but received ${result.count}`);
    }
    return { task, shards: last, result: result as Answer<Count>["result"] };
  }

  /**
   * Profiles every column of tables, or those that are named: in one pass, and in further ones if the data decide ranges or
   * have too many different values.
   * @throws as `hist`
   */
  async profile(request: ProfileRequest): Promise<ProfileJson> {
    checkNames(request, [...REQUEST_OPTIONS, "inputs", "profile", "cut"]);
    const { inputs, profile = {}, cut = CUT, ...options } = request;
    // A partial result holds the different values, so that it grows with their limit.
    const asked = { distinctLimit: DISTINCT_LIMIT, ...profile };
    const name = nameOf(options.name, ["profile", inputs.files, inputs.read, asked, cut]);
    const count = (task: Task, shards: readonly Shard[], pass: number) =>
      this.count(task, shards, { ...options, name, pass: `profile-${pass + 1}` });
    const passes = await profilePasses(inputs, asked);
    return profileInShards(inputs, passes, cut, count, () => ({ backend: "cluster", device: "workers" }));
  }

  /**
   * Has the shards of one task counted and merged. The task may run already, or be done.
   * @param options.pass names the task among those of one request. Default: what it counts.
   */
  async count(
    task: Task,
    shards: readonly Shard[],
    options: RequestOptions & { readonly pass?: string } = {},
  ): Promise<PartialResult> {
    checkNames(options, [...REQUEST_OPTIONS, "pass"]);
    const { width = TREE_WIDTH, pass = task.count, signal, onProgress } = options;
    if (!Number.isInteger(width) || width < 2 || width > MAX_TREE_WIDTH) {
      throw expected("ERR_INPUT", "width", `a whole number from 2 to ${MAX_TREE_WIDTH}`, width);
    }
    checkVersions(task.files);
    const { job } = shards[0]!;
    const name = nameOf(options.name, [job, width]);
    const bytes = await reaching(() =>
      runJob(
        this.#client,
        {
          id: sha256(`${job} ${width}`),
          name: `${name}/${pass}`,
          task: JSON.stringify(task),
          shards,
          width,
          check: (bytes) => void wholeOf(bytes, shards),
          describe: (shard) => readsOf(task, shards[shard]!),
        },
        {
          signal,
          onProgress: onProgress && (({ done, total }) => onProgress({ done, total, name, pass })),
        },
      ),
    );
    return wholeOf(bytes, shards);
  }

  /** Whether something has paused the queue, so that no worker takes shards. */
  paused(): Promise<boolean> {
    return reaching(() => this.#client.queue.isPaused());
  }

  /** Finds the number of connected workers. */
  workers(): Promise<number> {
    return reaching(() => this.#client.queue.getWorkersCount());
  }

  /** Lists the jobs that Redis knows, the oldest request first, or those of one name. */
  status(name: string | null = null): Promise<JobStatus[]> {
    return reaching(() => statusOf(this.#client, name));
  }

  /** Ends the running jobs of a name. Counted shards stay. @throws ERR_INPUT if there is no job of this name. */
  cancel(name: string): Promise<JobStatus[]> {
    return reaching(() => cancelJobs(this.#client, name));
  }

  /** Removes ended jobs and their results. @throws ERR_INPUT if there is no job of this name, or it runs. */
  gc(options: { readonly name?: string | null; readonly olderThanMs?: number } = {}): Promise<Removed> {
    checkNames(options, ["name", "olderThanMs"]);
    return reaching(() => removeJobs(this.#client, options));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Checks the name of a request, or makes one from what it counts, so that the same request finds its job again. */
function nameOf(name: unknown, request: unknown): string {
  if (name === undefined) {
    // Ends of ranges may be bigints.
    const text = JSON.stringify(request, (_, value) => (typeof value === "bigint" ? Number(value) : value));
    return sha256(text).slice(0, 12);
  }
  if (typeof name === "string" && NAME.test(name)) return name;
  throw expected(
    "ERR_INPUT",
    "name",
    'at most 64 letters, digits, ".", "_" and "-", the first a letter or digit',
    name,
  );
}

/** Reads the result of all shards. Redis may hold anything under its key. @throws ERR_INPUT for anything else */
function wholeOf(bytes: Uint8Array, shards: readonly Shard[]): PartialResult {
  const partial = decodePartial(bytes);
  const isWhole = partial.job === shards[0]!.job && partial.of === shards.length;
  if (isWhole && missingShards(partial).length === 0) return partial;
  throw new PolybinError("ERR_INPUT", `the partial result does not cover its ${shards.length} shards`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Files that a description of a shard names. */
const NAMED = 3;

/** Describes what a shard reads: "trips.parquet, parts 3 to 4". */
function readsOf({ files }: Task, { reads }: Shard): string {
  const named = reads.slice(0, NAMED).map(({ file, first, end }) => {
    const parts = end === first + 1 ? `part ${first}` : `parts ${first} to ${end - 1}`;
    return `${files[file]!.location}, ${parts}`;
  });
  const more = reads.length - named.length;
  return `${named.join("; ")}${more > 0 ? ` and ${more} more files` : ""}`;
}
