import { Cluster, type JobStatus } from "@polybin/cluster";
import { parseWhole, plural, printable, whole } from "../base/index.ts";
import { write } from "../terminal/index.ts";
import type { GcOptions, RedisOptions, StatusOptions } from "./request.ts";

/** `polybin cluster status`. */
export async function status(name: string | null, { redis, json }: StatusOptions): Promise<void> {
  await using cluster = await Cluster.open({ redis });
  const jobs = await cluster.status(name);
  await write(json ? `${printable(JSON.stringify(jobs.map(shown)))}\n` : tableOf(jobs));
}

/** `polybin cluster cancel`. */
export async function cancel(name: string, { redis }: RedisOptions): Promise<void> {
  await using cluster = await Cluster.open({ redis });
  const ended = await cluster.cancel(name);
  await write(
    ended.length === 0
      ? `${printable(name)} has ended already\n`
      : ended.map((job) => `cancelled ${printable(job.name)}: ${countedOf(job)}\n`).join(""),
  );
}

const MOST_HOURS = 100_000;
const HOUR_MS = 3_600_000;

/** `polybin cluster gc`. */
export async function gc(name: string | null, { redis, spill, olderThan }: GcOptions): Promise<void> {
  const hours = olderThan === undefined ? 0 : parseWhole(olderThan, "--older-than", 0, MOST_HOURS);
  await using cluster = await Cluster.open({ redis, spill });
  const { jobs, keys } = await cluster.gc({ name, olderThanMs: hours * HOUR_MS });
  await write(`removed ${plural(jobs.length, "job")} (${plural(keys, "key")} of Redis)\n`);
}

/** The fields of a job that programs may rely on. */
function shown({ name, state, done, shards, run, created, changed, ended, failures }: JobStatus) {
  return { name, state, done, shards, run, created, changed, ended, failures };
}

const countedOf = ({ done, shards }: JobStatus): string => `${whole(done)} of ${plural(shards, "shard")}`;

const HEADER = ["name", "state", "counted", "last change"];

function tableOf(jobs: readonly JobStatus[]): string {
  if (jobs.length === 0) return "no jobs\n";
  const rows = jobs.map((job) => [
    printable(job.name),
    job.state,
    countedOf(job),
    new Date(job.changed).toISOString().replace("T", " ").slice(0, 19),
  ]);
  const widths = HEADER.map((_, i) => Math.max(...[HEADER, ...rows].map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    `${row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd()}\n`;
  const failures = jobs.flatMap(({ name, failures }) =>
    failures.map((failure) => `${printable(name)}: ${printable(failure)}\n`),
  );
  return [HEADER, ...rows].map(line).join("") + failures.join("");
}
