import { createHash, randomInt } from "node:crypto";
import { PolybinError } from "@polybin/core";
import type { Redis } from "ioredis";
import {
  doneKey,
  ENTRY_KEYS,
  entryKey,
  entryParts,
  failedKey,
  JOBS,
  NAMES,
  recordKey,
  resultKey,
  resultPattern,
} from "./keys.ts";
import { MAX_RUN } from "./limits.ts";
import { SCRIPTS } from "./scripts.ts";
import { isReference, LostPartial, REFERENCE_BYTES, type Spill } from "./spill.ts";
import { ancestorsOf, childrenOf, type Node, nodesOf, nodeText, rootOf, type Tree } from "./tree.ts";

/** The state of a job. */
export type State = "running" | "done" | "failed" | "cancelled";

/** The record of a job, as Redis keeps it. */
export interface JobRecord {
  readonly id: string;
  readonly name: string;
  readonly state: State;
  /**
   * The id of the run. It is random, because Redis can lose the record of a job and keep the entries of its run: those of the
   * next run must be others.
   */
  readonly run: number;
  /** Number of runs so far. */
  readonly runs: number;
  readonly tree: Tree;
  /** The task as JSON. */
  readonly task: string;
  /** The digest of the task and the tree, which names them in the memory of a worker. */
  readonly digest: string;
  /** Times in milliseconds since 1970. `ended` is null while the job runs. */
  readonly created: number;
  readonly changed: number;
  readonly ended: number | null;
}

/** How far a job is. */
export interface Standing {
  readonly state: State | null;
  readonly run: number;
  /** The digest of the job's task and tree. */
  readonly digest: string | null;
  /** Number of counted shards. */
  readonly done: number;
}

interface WithScripts {
  polybinBegin(...args: (string | number)[]): Promise<[string, string]>;
  polybinKeep(...args: (string | number | Buffer)[]): Promise<number>;
  polybinStanding(
    record: string,
    done: string,
  ): Promise<[string | null, string | null, string | null, number]>;
  polybinKept(...args: (string | number)[]): Promise<number[]>;
  polybinHeld(active: string, token: string, prefix: string): Promise<string[]>;
  polybinDrop(...args: (string | number)[]): Promise<number>;
  polybinEnd(...args: (string | number)[]): Promise<number>;
}

const STATES: readonly string[] = ["running", "done", "failed", "cancelled"];

/** The jobs and results of one Redis. It knows keys and bytes, and nothing of what is counted. */
export class Store {
  readonly #redis: Redis & WithScripts;
  /** Where partial results are that are too large for Redis. */
  readonly #spill: Spill | null;

  constructor(redis: Redis, spill: Spill | null = null) {
    this.#spill = spill;
    for (const [name, script] of Object.entries(SCRIPTS)) redis.defineCommand(name, script);
    this.#redis = redis as Redis & WithScripts;
  }

  /** Whether large partial results go to files. */
  get spills(): boolean {
    return this.#spill !== null;
  }

  /** Starts a run. `stale` is a run that lost its shards, to be replaced. */
  async begin(
    job: { id: string; name: string; task: string; tree: Tree; keep: number },
    stale: number | null = null,
  ): Promise<{ readonly state: "begun" | "running" | "done" | "taken"; readonly run: number }> {
    const { id, name, task, tree, keep } = job;
    const [state, run] = await this.#redis.polybinBegin(
      recordKey(id),
      JOBS,
      NAMES,
      id,
      name,
      task,
      tree.shards,
      tree.width,
      Date.now(),
      keep,
      stale ?? "",
      randomInt(1, MAX_RUN),
      digestOf(task, tree),
    );
    return { state: state as "begun", run: Number(run) };
  }

  /** Reads the record of a job. Null if there is none, or if it is no record of ours. */
  async record(id: string): Promise<JobRecord | null> {
    const { name, task, digest, state, version, ...numbers } = await this.#redis.hgetall(recordKey(id));
    const fields = ["run", "runs", "shards", "width", "created", "changed"].map((field) =>
      Number(numbers[field] ?? Number.NaN),
    );
    const [run, runs, shards, width, created, changed] = fields as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const whole = fields.every(Number.isSafeInteger);
    if (version !== "1" || !whole || shards < 1 || width < 2) return null;
    if (name === undefined || task === undefined || !STATES.includes(state!)) return null;
    if (digest !== digestOf(task, { shards, width })) return null;
    const ended = numbers.ended === undefined ? null : Number(numbers.ended);
    return {
      id,
      name,
      task,
      digest,
      state: state as State,
      run,
      runs,
      tree: { shards, width },
      created,
      changed,
      ended,
    };
  }

  /** Finds the job of an entry of the queue, by the name of the entry. */
  async jobOf(entry: string): Promise<(JobRecord & { readonly node: Node }) | null> {
    const parts = entryParts(entry);
    if (parts === null) return null;
    const id = (await this.ids()).find((one) => one.startsWith(parts.job));
    const record = id === undefined ? null : await this.record(id);
    return record?.run === parts.run ? { ...record, node: parts.node } : null;
  }

  /** Reads only how far a job is, which is cheap. */
  async standing(id: string): Promise<Standing> {
    const [was, run, digest, done] = await this.#redis.polybinStanding(recordKey(id), doneKey(id));
    const state = STATES.includes(was as string) ? (was as State) : null;
    return { state, run: Number(run ?? 0), digest, done };
  }

  /**
   * Reads the result of a node, or null.
   * @throws LostPartial if its file is gone. Redis then has no result either.
   * @throws ERR_INPUT if it is in a file and no folder is given.
   */
  async result(id: string, node: Node): Promise<Buffer | null> {
    const key = resultKey(id, node);
    const value = await this.#redis.getBuffer(key);
    if (value === null || !isReference(value)) return value;
    if (this.#spill === null) throw noFolder(nodeText(node));
    try {
      return await this.#spill.read(id, value);
    } catch (error) {
      if (error instanceof LostPartial) await this.#redis.unlink(key);
      throw error;
    }
  }

  /** Drops the result of a node, which is damaged. */
  async drop(id: string, node: Node): Promise<void> {
    await this.#redis.unlink(resultKey(id, node));
  }

  /** Whether a node needs no work, because it or a merge above it has its result. */
  async isKept(id: string, tree: Tree, node: Node): Promise<boolean> {
    const keys = [node, ...ancestorsOf(tree, node)].map((one) => resultKey(id, one));
    return (await this.#redis.exists(...keys)) > 0;
  }

  /** Finds the nodes whose results are kept. */
  async kept(id: string, tree: Tree): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const ask = async (nodes: readonly Node[]) => {
      const keys = nodes.map((node) => resultKey(id, node));
      const kept = await this.#redis.polybinKept(keys.length, ...keys);
      for (const [i, node] of nodes.entries()) if (kept[i] === 1) found.add(nodeText(node));
    };
    const some: Node[] = [];
    for (const node of nodesOf(tree)) {
      some.push(node);
      if (some.length === 1000) await ask(some.splice(0));
    }
    if (some.length > 0) await ask(some);
    return found;
  }

  /** Keeps the result of a node, written once or over the same bits. Returns false if nobody needs it any more. */
  async keep(id: string, tree: Tree, node: Node, bytes: Uint8Array): Promise<boolean> {
    const above = ancestorsOf(tree, node);
    const spill = this.#spill;
    const isLarge = spill !== null && bytes.byteLength > spill.above;
    const value = isLarge ? await spill.write(id, node, bytes) : bytes;
    const children = childrenOf(tree, node).map((one) => resultKey(id, one));
    const replaced = spill === null ? [] : await this.#references(children);
    const keys = [
      recordKey(id),
      doneKey(id),
      ...[node, ...above].map((one) => resultKey(id, one)),
      ...children,
    ];
    const kept = await this.#redis.polybinKeep(
      keys.length,
      ...keys,
      Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      above.length,
      node.level === 0 ? node.index : -1,
      Date.now(),
      above.length === 0 ? "1" : "0",
    );
    // Nobody needs the file of a late repetition.
    if (kept === 0 && isLarge) await spill.drop(id, value);
    if (kept === 1) await Promise.all(replaced.map((reference) => spill!.drop(id, reference)));
    return kept === 1;
  }

  /** Reads those values that name files. The others are not read, since they may be large. */
  async #references(keys: readonly string[]): Promise<Buffer[]> {
    if (keys.length === 0) return [];
    const starts = await Promise.all(keys.map((key) => this.#redis.getrangeBuffer(key, 0, REFERENCE_BYTES)));
    return starts.filter(isReference);
  }

  /** Notes that a shard is counted whose result was kept before. */
  async markCounted(id: string, shard: number): Promise<void> {
    await this.#redis.setbit(doneKey(id), shard, 1);
  }

  /** Replaces the notes of counted shards: bit i of byte floor(i / 8), the highest bit first. */
  async setCounted(id: string, bits: Buffer, keep: number): Promise<void> {
    await this.#redis.set(doneKey(id), bits, "EX", keep);
  }

  /** Ends a run. With a node, the message says why this node failed. */
  async end(
    id: string,
    run: number,
    state: "failed" | "cancelled",
    why: { readonly node: Node; readonly message: string } | null = null,
  ): Promise<boolean> {
    const ended = await this.#redis.polybinEnd(
      recordKey(id),
      failedKey(id),
      state,
      run,
      why === null ? "" : nodeText(why.node),
      why?.message ?? "",
      Date.now(),
    );
    return ended === 1;
  }

  /** Lists the active entries of the queue that a worker holds under a token. */
  heldBy(token: string): Promise<string[]> {
    return this.#redis.polybinHeld(entryKey("active"), token, entryKey(""));
  }

  /** Removes an active entry from the queue. */
  async dropEntry(entry: string): Promise<void> {
    const own = entryKey(entry);
    const keys = [entryKey("active"), own, ...ENTRY_KEYS.map((name) => `${own}:${name}`)];
    await this.#redis.polybinDrop(keys.length, ...keys, entry);
  }

  /** Reads the failures of a job: messages by node. */
  failures(id: string): Promise<Record<string, string>> {
    return this.#redis.hgetall(failedKey(id));
  }

  /** Forgets the failures of earlier runs. */
  async forgetFailures(id: string): Promise<void> {
    await this.#redis.unlink(failedKey(id));
  }

  /** Reads which shards are counted: bit i of byte floor(i / 8), the highest bit first. */
  async counted(id: string): Promise<Buffer> {
    return (await this.#redis.getBuffer(doneKey(id))) ?? Buffer.alloc(0);
  }

  /** Lists the ids of all jobs, the oldest request first. */
  ids(): Promise<string[]> {
    return this.#redis.zrange(JOBS, "0", "-1");
  }

  /** Finds the names of jobs and their ids. */
  names(): Promise<Record<string, string>> {
    return this.#redis.hgetall(NAMES);
  }

  /** Removes a job with all its results. Returns the number of keys. */
  async remove(id: string, names: readonly string[]): Promise<number> {
    let removed = await this.#redis.unlink(recordKey(id), doneKey(id), failedKey(id));
    for await (const keys of this.#redis.scanStream({ match: resultPattern(id), count: 1000 })) {
      if (keys.length > 0) removed += await this.#redis.unlink(...(keys as string[]));
    }
    await this.#spill?.remove(id);
    await this.#redis.zrem(JOBS, id);
    if (names.length > 0) await this.#redis.hdel(NAMES, ...names);
    return removed;
  }

  /** Removes files of partial results whose jobs Redis does not know any more. */
  async removeOrphans(): Promise<void> {
    await this.#spill?.removeOrphans(new Set(await this.ids()));
  }

  /** The result of the root: the job's result. Null if it is not done. */
  total(id: string, tree: Tree): Promise<Buffer | null> {
    return this.result(id, rootOf(tree));
  }
}

function digestOf(task: string, { shards, width }: Tree): string {
  return createHash("sha256").update(`${shards} ${width} ${task}`).digest("hex");
}

function noFolder(node: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected the folder of large partial results (--spill DIR), because the result ${node} is in a file, but received none`,
  );
}
