import { checkNames, expected } from "@polybin/core/backend";
import type { Node } from "./tree.ts";

/** A shard or a merge on the queue. */
export interface Payload {
  /** The id of the job: 64 hexadecimal digits. */
  readonly job: string;
  /** The run of the job that added it. Workers skip what an earlier run left. */
  readonly run: number;
  readonly node: Node;
  /** The shard, which the computation checks. Undefined for a merge. */
  readonly shard: unknown;
}

const VERSION = 1;
const NAMES = ["version", "job", "run", "level", "index", "shard"];

/** Writes a payload as plain JSON. */
export function payloadOf({ job, run, node, shard }: Payload): Record<string, unknown> {
  return { version: VERSION, job, run, ...node, ...(shard !== undefined && { shard }) };
}

/**
 * Checks the data of a queued job, which anybody with access to Redis may have written.
 * @throws ERR_INPUT for anything but a payload of this version.
 */
export function checkPayload(given: unknown): Payload {
  checkNames(given as object, NAMES, { of: "the payload" });
  const { version, job, run, level, index, shard } = given as Record<string, unknown>;
  if (version !== VERSION) throw expected("ERR_INPUT", "version", String(VERSION), version);
  if (typeof job !== "string" || !/^[0-9a-f]{64}$/.test(job)) {
    throw expected("ERR_INPUT", "job", "64 hexadecimal digits", job);
  }
  const node = { level: whole(level, "level", 0), index: whole(index, "index", 0) };
  if ((node.level === 0) !== (shard !== undefined)) {
    throw expected("ERR_INPUT", "shard", "an object at level 0, and nothing above", shard);
  }
  return { job, run: whole(run, "run", 1), node, shard };
}

function whole(value: unknown, name: string, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw expected("ERR_INPUT", name, `a whole number of at least ${least}`, value);
}
