import { resolve } from "node:path";
import { endWithParent, openWorker, type WorkerEvent } from "@polybin/cluster";
import { PolybinError } from "@polybin/core";
import { duration, parseWhole, printable } from "../base/index.ts";
import { engineFor } from "../engine/index.ts";
import { parseThreads } from "../options/index.ts";
import type { RedisOptions } from "./request.ts";
import { absolute } from "./target.ts";

/** The options of `polybin cluster work`, as they were typed. */
export interface WorkOptions extends RedisOptions {
  readonly allow?: readonly string[];
  readonly spill?: string;
  readonly concurrency?: string;
  readonly maxPartial?: string;
  readonly lock?: string;
  readonly verbose?: boolean;
  readonly backend: string;
  readonly threads?: string;
}

const MIB = 1_048_576;
const MOST_CONCURRENT = 256;
const MOST_PARTIAL_MIB = 64;
const MOST_LOCK_SECONDS = 3600;

/** `polybin cluster work`: counts until it is stopped. */
export async function work(options: WorkOptions, signal: AbortSignal): Promise<void> {
  const { redis, spill, backend, verbose = false } = options;
  if (options.allow === undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected --allow with the folders, schemes or addresses that shards may open, such as --allow /data, but received none",
    );
  }
  // Tasks have absolute paths.
  const allow = options.allow.map(absolute);
  const concurrency = optional(options.concurrency, "--concurrency", MOST_CONCURRENT);
  const maxPartial = optional(options.maxPartial, "--max-partial", MOST_PARTIAL_MIB);
  const lock = optional(options.lock, "--lock", MOST_LOCK_SECONDS);
  const threads = parseThreads(options.threads);
  await using engine = await engineFor({ backend, threads });
  await using _worker = await openWorker({
    redis,
    engine,
    allow,
    concurrency,
    // Several shards at once decode at once, so that threads of their own would only compete.
    threads: threads ?? 0,
    maxPartialBytes: maxPartial === undefined ? undefined : maxPartial * MIB,
    spill: spill === undefined ? undefined : resolve(spill),
    lockMs: lock === undefined ? undefined : lock * 1000,
    onEvent: (event) => log(event, verbose),
  });
  endWithParent();
  // The command that started it does not need the line.
  if (process.channel === undefined)
    say(`ready: ${engine.backend} (${engine.device}), may open ${allow.join(", ")}`);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

function optional(text: string | undefined, name: string, most: number): number | undefined {
  return text === undefined ? undefined : parseWhole(text, name, 1, most);
}

/** Characters of a job's id in the log. */
const SHOWN = 12;

function log(event: WorkerEvent, verbose: boolean): void {
  const text = textOf(event, verbose);
  if (text !== null) say(text);
}

function textOf(event: WorkerEvent, verbose: boolean): string | null {
  switch (event.kind) {
    case "refused":
      return `refused ${event.entry}: ${event.reason}`;
    case "failed": {
      const next = event.last ? "failed" : "failed, tries again";
      return `${next}: ${event.job.slice(0, SHOWN)} ${event.node}: ${event.reason}`;
    }
    case "warning":
      return `warning: ${event.reason}`;
    default:
      if (!verbose) return null;
      return `${event.kind} ${event.job.slice(0, SHOWN)} ${event.node} in ${duration(event.ms)}`;
  }
}

/** A line of the log, on stderr. */
function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
