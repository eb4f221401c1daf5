import { type BackendFactory, createRedisBackend, type JobJson, type RedisQueueBackend } from "bullmq";
import { isLost } from "./lost.ts";

/** An entry of the queue and the reason why a worker cannot take it. */
export type OnBroken = (id: string, reason: string) => Promise<void>;

/** Entries that a worker holds under a token, which is new for each fetch. */
export type HeldBy = (token: string) => Promise<readonly string[]>;

type Fetched = [JobJson | null | undefined, ...unknown[]];
type Finished = Awaited<ReturnType<RedisQueueBackend["moveToCompleted"]>>;

/**
 * A backend of BullMQ that survives entries whose fields BullMQ cannot read. BullMQ locks the next entry before it reads
 * its fields, so an entry that it cannot read would stay active forever, and nothing would name it. Here such an
 * entry is found by its lock, reported, and not handed to the worker.
 */
export function guardedBackend(heldBy: HeldBy, broken: OnBroken): BackendFactory<RedisQueueBackend> {
  /** Reports what is held under a token, except for one entry. Returns the number of these entries. */
  const refuse = async (token: string, except: string | null, reason: string) => {
    const held = (await heldBy(token)).filter((id) => id !== except);
    for (const id of held) await broken(id, reason);
    return held.length;
  };

  return (name, opts, more) => {
    const backend = createRedisBackend(name, opts, more);
    const { qualifiedName } = backend;

    const fetch = backend.moveToActive.bind(backend);
    backend.moveToActive = async (token, worker) => {
      for (;;) {
        try {
          const fetched = (await fetch(token, worker)) as Fetched;
          const reason = brokenField(fetched[0], qualifiedName);
          if (reason === null) return fetched;
          await broken(String(fetched[1]), reason);
        } catch (error) {
          if (!isUnreadable(error) || (await refuse(token, null, unreadable(error))) === 0) throw error;
        }
      }
    };

    /** Ends an entry and fetches the next one. A broken next entry does not concern the one that has ended. */
    const next = async <T>(token: string, ended: string, end: () => Promise<T>, none: T): Promise<T> => {
      try {
        return await end();
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        if ((await refuse(token, ended, unreadable(error))) > 0) return none;
        // The entry itself cannot be ended.
        await broken(ended, unreadable(error));
        return none;
      }
    };
    const checked = async (result: unknown) => {
      const [json, id] = (result ?? []) as Fetched;
      const reason = brokenField(json, qualifiedName);
      if (reason === null) return result;
      await broken(String(id), reason);
      return [];
    };
    const none = (): Finished => ({ result: [], finishedOn: Date.now() }) as unknown as Finished;

    const complete = backend.moveToCompleted.bind(backend);
    backend.moveToCompleted = async (job, value, remove, token, fetchNext) => {
      const end = await next(token, job.id!, () => complete(job, value, remove, token, fetchNext), none());
      return { ...end, result: await checked(end.result) } as Finished;
    };
    const fail = backend.moveToFailed.bind(backend);
    backend.moveToFailed = async (...failed) => {
      const [job, , , token] = failed;
      const end = await next(token, job.id!, () => fail(...failed), none());
      return { ...end, result: await checked(end.result) } as Finished;
    };
    const delay = backend.moveToDelayed.bind(backend);
    backend.moveToDelayed = async (id, timestamp, ms, token = "0", options = {}) =>
      (await checked(
        await next(token, id, () => delay(id, timestamp, ms, token, options), undefined),
      )) as unknown[];
    return backend;
  };
}

/** Answers of Redis that are about the content of a key. Others, such as a full memory, pass. */
const CONTENT =
  /WRONGTYPE|not an integer|not a valid|Expected .* but found|attempt to (index|compare|concatenate)/i;

/** Whether an error is about the content of an entry: JSON that cannot be parsed, or a field of another type. */
function isUnreadable(error: unknown): error is Error {
  if (error instanceof SyntaxError || error instanceof TypeError) return true;
  return error instanceof Error && !isLost(error) && CONTENT.test(error.message);
}

const unreadable = (error: Error): string =>
  `expected an entry that BullMQ can read but received one for which it says: ${error.message.slice(0, 200)}`;

/** Names the first field that no entry of ours has. Null if there is none. */
function brokenField(json: JobJson | null | undefined, queueKey: string): string | null {
  if (!json) return null;
  const { attemptsStarted, attemptsMade, stalledCounter, parentKey, deduplicationId } = json;
  for (const [field, value] of Object.entries({ attemptsStarted, attemptsMade, stalledCounter })) {
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
      return `expected a whole number for the counter ${field} but received another value`;
    }
  }
  if (deduplicationId !== undefined)
    return "expected an entry without deduplication but received one with it";
  const parent = json.parent as unknown;
  if (parent === undefined && parentKey === undefined) return null;
  const { id, queueKey: key } = Object(parent) as Record<string, unknown>;
  if (typeof id === "string" && key === queueKey && parentKey === `${queueKey}:${id}`) return null;
  return `expected a parent in ${queueKey} but received another one`;
}
