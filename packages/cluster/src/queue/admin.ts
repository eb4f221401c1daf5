import { PolybinError } from "@polybin/core";
import type { Client } from "./client.ts";
import { queueId } from "./keys.ts";
import type { State } from "./store.ts";
import { rootOf } from "./tree.ts";

/** How far a job is. Times are milliseconds since 1970. */
export interface JobStatus {
  /** "NAME/PASS": each pass of a request over the data is a job of its own. */
  readonly name: string;
  readonly id: string;
  readonly state: State;
  readonly done: number;
  readonly shards: number;
  /** Partial results that one merge reads at most. */
  readonly width: number;
  /** Number of the run: 1, and one more for each time that the job was started again. */
  readonly run: number;
  readonly created: number;
  readonly changed: number;
  readonly ended: number | null;
  /** Messages of failed shards and merges. */
  readonly failures: readonly string[];
}

/** A job, with the id of its run in the queue. */
type ListedJob = JobStatus & { readonly flow: number };

/** Whether a job's name belongs to a name: it is the name itself, or a pass of it. */
const belongs = (job: string, name: string): boolean => job === name || job.startsWith(`${name}/`);

/** A job's names, the first one before those of later requests for the same counts. */
function namesOf(id: string, first: string | null, owners: Readonly<Record<string, string>>): string[] {
  const all = Object.keys(owners).filter((one) => owners[one] === id);
  return first === null ? all : [first, ...all.filter((one) => one !== first)];
}

/** Lists the jobs of a Redis, the oldest request first, or those of one name. */
export async function statusOf(client: Client, name: string | null = null): Promise<JobStatus[]> {
  return (await listed(client, name)).map(({ flow: _, ...status }) => status);
}

async function listed({ store }: Client, name: string | null): Promise<ListedJob[]> {
  const found: ListedJob[] = [];
  const owners = await store.names();
  for (const id of await store.ids()) {
    const record = await store.record(id);
    if (record === null) continue;
    const known = namesOf(id, record.name, owners).find((one) => name === null || belongs(one, name));
    if (known === undefined) continue;
    const { tree, task: _, run: flow, runs: run, ...rest } = record;
    const [{ done }, failures] = await Promise.all([store.standing(id), store.failures(id)]);
    found.push({
      ...rest,
      name: known,
      run,
      flow,
      done,
      shards: tree.shards,
      width: tree.width,
      failures: Object.values(failures),
    });
  }
  return found;
}

/**
 * Ends the running jobs of a name. Workers stop within a second or two, and the counted shards stay: the same request
 * goes on with the missing ones. Returns the jobs that were ended.
 * @throws ERR_INPUT if there is no job of this name.
 */
export async function cancelJobs(client: Client, name: string): Promise<JobStatus[]> {
  const jobs = await listed(client, name);
  if (jobs.length === 0) throw noJob(name);
  const ended: JobStatus[] = [];
  for (const { flow, ...job } of jobs) {
    if (await client.store.end(job.id, flow, "cancelled")) {
      ended.push({ ...job, state: "cancelled" });
      await removeFlow(client, { ...job, flow });
    }
  }
  return ended;
}

/** The jobs and keys that garbage collection removed. */
export interface Removed {
  readonly jobs: readonly string[];
  readonly keys: number;
}

/**
 * Removes ended jobs and their results: those of one name, or all that ended `olderThanMs` ago. Running jobs stay.
 * @throws ERR_INPUT if there is no job of this name, or it runs.
 */
export async function removeJobs(
  client: Client,
  { name = null, olderThanMs = 0 }: { readonly name?: string | null; readonly olderThanMs?: number },
): Promise<Removed> {
  const { store } = client;
  const jobs = await listed(client, name);
  if (name !== null && jobs.length === 0) throw noJob(name);
  const running = jobs.find(({ state }) => state === "running");
  if (name !== null && running !== undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a job that has ended but received ${running.name}, which runs; first end it: polybin cluster cancel ${name}`,
    );
  }
  const owners = await store.names();
  const removed: string[] = [];
  let keys = 0;
  for (const job of jobs) {
    if (job.ended === null || Date.now() - job.ended < olderThanMs) continue;
    await removeFlow(client, job);
    keys += await store.remove(job.id, namesOf(job.id, null, owners));
    removed.push(job.name);
  }
  // Redis has dropped the records of jobs that nobody asked for in a long time.
  const known = new Set(jobs.map(({ id }) => id));
  for (const id of name === null ? await store.ids() : []) {
    if (!known.has(id) && (await store.record(id)) === null)
      keys += await store.remove(id, namesOf(id, null, owners));
  }
  await store.removeOrphans();
  return { jobs: removed, keys };
}

/** Removes what the queue still has of a job. A worker skips an entry that it holds right now. */
async function removeFlow({ queue }: Client, { id, flow, shards, width }: ListedJob): Promise<void> {
  const root = queueId(id, flow, rootOf({ shards, width }));
  await queue.remove(root, { removeChildren: true }).catch(() => {});
}

function noJob(name: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected the name of a job but received ${JSON.stringify(name)}; polybin cluster status lists them`,
  );
}
