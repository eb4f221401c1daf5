import { isPolybinError, PolybinError } from "@polybin/core";
import type { Computation } from "./computation.ts";
import { checkPayload, type Payload } from "./payload.ts";
import { LostPartial } from "./spill.ts";
import type { JobRecord, Store } from "./store.ts";
import { childrenOf, hasNode, nodeText, shardsBelow, type Tree } from "./tree.ts";

/** Characters of a reason at most. */
const REASON = 300;

/** Data on the queue that is no shard and no merge of a job. No attempt would change that. */
export class Refusal extends Error {
  /** Its payload, if this is well-formed and of a job that runs. */
  readonly payload: Payload | null;

  constructor(message: string, payload: Payload | null = null) {
    super(message);
    this.payload = payload;
  }
}

/** How a worker dealt with a shard or a merge. `skipped`: its job has ended, or a newer run of it goes on. */
export type Outcome = "counted" | "merged" | "kept" | "skipped";

/** The checked task of a job, and its tree of merges. */
interface KnownJob<Task> {
  readonly task: Task;
  readonly tree: Tree;
}

/** Tasks that a worker keeps in memory. */
const KNOWN_JOBS = 16;

/** Counts shards and merges partial results: what a worker does with one job of the queue. */
export class Processor<Task, Shard> {
  readonly #store: Store;
  readonly #computation: Computation<Task, Shard>;
  readonly #maxBytes: number;
  /** By the digest of the task and the tree, which is all that they depend on. */
  readonly #known = new Map<string, KnownJob<Task>>();

  constructor(store: Store, computation: Computation<Task, Shard>, maxBytes: number) {
    this.#store = store;
    this.#computation = computation;
    this.#maxBytes = maxBytes;
  }

  /**
   * Does the work of a queued job, or finds that nobody wants it any more.
   * @param started is called when the data is checked, before anything is opened
   * @throws Refusal with the reason if the data is no shard and no merge.
   */
  async process(data: unknown, signal: AbortSignal, started: (payload: Payload) => void): Promise<Outcome> {
    const payload = refusing(() => checkPayload(data));
    const { state, run, digest } = await this.#store.standing(payload.job);
    if (state === null) throw new Refusal(`no job ${payload.job} is in this Redis`);
    if (state !== "running" || run !== payload.run) return "skipped";
    const known = await this.#job(payload, digest).catch((error) => {
      throw error instanceof Refusal ? new Refusal(error.message, payload) : error;
    });
    started(payload);
    return this.#work(payload, known, signal);
  }

  async #work({ job, node, shard }: Payload, known: KnownJob<Task>, signal: AbortSignal): Promise<Outcome> {
    const { task, tree } = known;
    if (await this.#store.isKept(job, tree, node)) {
      if (node.level === 0) await this.#store.markCounted(job, node.index);
      return "kept";
    }
    if (node.level === 0) {
      const bytes = await this.#computation.count(task, this.#shard(shard, node, known), signal);
      await this.#keep(job, tree, node, bytes);
      return "counted";
    }
    try {
      const bytes = await this.#computation.merge(task, this.#children(job, known, node), signal);
      await this.#keep(job, tree, node, bytes);
      return "merged";
    } catch (error) {
      // A worker that came back has merged them meanwhile, and dropped what it had merged.
      if (error instanceof LostPartial && (await this.#store.isKept(job, tree, node))) return "kept";
      throw error;
    }
  }

  /** Whether a job still wants the work of one of its runs. */
  async isLive({ job, run }: Payload): Promise<boolean> {
    const standing = await this.#store.standing(job);
    return standing.state === "running" && standing.run === run;
  }

  /** Ends the job of an entry that cannot be worked on. Entries of any other kind are ignored. */
  async giveUp(entry: string, message: string): Promise<void> {
    const found = await this.#store.jobOf(entry);
    if (found === null || !hasNode(found.tree, found.node)) return;
    await this.#store.end(found.id, found.run, "failed", { node: found.node, message });
  }

  async #keep(job: string, tree: Tree, node: Payload["node"], bytes: Uint8Array): Promise<void> {
    if (!this.#store.spills && bytes.byteLength > this.#maxBytes) {
      throw new PolybinError(
        "ERR_LIMIT",
        `expected partial results of at most ${this.#maxBytes} bytes but received ${bytes.byteLength}; ` +
          "start all workers and the command with --spill DIR, a folder that they share, start workers with a larger --max-partial, " +
          "or count fewer bins or columns at a time",
      );
    }
    await this.#store.keep(job, tree, node, bytes);
  }

  async *#children(
    job: string,
    { task, tree }: KnownJob<Task>,
    node: Payload["node"],
  ): AsyncGenerator<Uint8Array> {
    for (const child of childrenOf(tree, node)) {
      const bytes = await this.#store.result(job, child);
      if (bytes === null) {
        throw new LostPartial(
          `the partial result ${nodeText(child)} is not in Redis any more: its shards are counted again`,
        );
      }
      try {
        this.#computation.checkPartial(bytes, task, shardsBelow(tree, child));
      } catch (error) {
        if (!isPolybinError(error) || error.code !== "ERR_INPUT") throw error;
        await this.#store.drop(job, child);
        throw new LostPartial(
          `the partial result ${nodeText(child)} in Redis is damaged (${error.message}): its shards are counted again`,
        );
      }
      yield bytes;
    }
  }

  /** Reads and checks the task of a payload, once for each digest. */
  async #job({ job, node, shard }: Payload, digest: string | null): Promise<KnownJob<Task>> {
    let known = digest === null ? undefined : this.#known.get(digest);
    if (known === undefined) {
      const record = await this.#store.record(job);
      if (record === null) throw new Refusal(`the record of job ${job} is damaged`);
      known = refusing(() => this.#read(record));
      if (this.#known.size >= KNOWN_JOBS) this.#known.delete(this.#known.keys().next().value!);
      this.#known.set(record.digest, known);
    }
    const { tree } = known;
    if (!hasNode(tree, node)) throw new Refusal(`job ${job} has no node ${nodeText(node)}`);
    if (node.level === 0) refusing(() => this.#shard(shard, node, known));
    return known;
  }

  #shard(shard: unknown, { index }: Payload["node"], { task, tree }: KnownJob<Task>): Shard {
    return this.#computation.checkShard(shard, task, { index, of: tree.shards });
  }

  #read({ id, task, tree }: JobRecord): KnownJob<Task> {
    return { task: this.#computation.checkTask(parsed(id, task)), tree };
  }
}

function parsed(id: string, task: string): unknown {
  try {
    return JSON.parse(task);
  } catch {
    throw new Refusal(`the task of job ${id} is no JSON`);
  }
}

/** Turns any error of a check into a refusal. */
function refusing<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new Refusal((error instanceof Error ? error.message : String(error)).slice(0, REASON));
  }
}
