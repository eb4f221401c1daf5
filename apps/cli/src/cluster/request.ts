import { resolve } from "node:path";
import { PolybinError } from "@polybin/core";
import { parseWhole } from "../base/index.ts";
import { both, type ReadingOptions } from "../options/index.ts";
import type { ProfileOptions } from "../profile/index.ts";

/** The options that name a Redis, as they were typed. */
export interface RedisOptions {
  readonly redis?: string;
}

/** The folder that workers share for partial results too large for Redis, as it was typed. */
export interface SpillOptions {
  readonly spill?: string;
}

/** The options of a request to a cluster, as they were typed. */
export interface DistributedOptions extends RedisOptions, SpillOptions {
  readonly local?: string;
  readonly name?: string;
  readonly shards?: string;
  readonly shardSize?: string;
  readonly width?: string;
  readonly backend?: string;
}

export interface ClusterHistOptions extends DistributedOptions, ReadingOptions {
  readonly column?: readonly string[];
  readonly by?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly edges?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export interface ClusterJointOptions extends DistributedOptions, ReadingOptions {
  readonly columns?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly json?: boolean;
}

export interface ClusterProfileOptions extends DistributedOptions, ProfileOptions {
  readonly backend: string;
}

export interface StatusOptions extends RedisOptions {
  readonly json?: boolean;
}

export interface GcOptions extends RedisOptions, SpillOptions {
  readonly olderThan?: string;
}

/** How a request is distributed. */
export interface Distribution {
  readonly redis: string | undefined;
  /** Absolute. */
  readonly spill: string | undefined;
  /** Number of worker processes on this machine. Null for a cluster that runs. */
  readonly local: number | null;
  readonly name: string | undefined;
  readonly cut: { readonly shards: number } | { readonly bytes: number } | undefined;
  readonly width: number | undefined;
  readonly backend: string;
}

const MIB = 1_048_576;
const MOST_WORKERS = 256;
const MOST_SHARDS = 200_000;
const MOST_MIB = 1_048_576;
const MOST_WIDTH = 1024;

/** Reads the options of a request. @throws ERR_INPUT */
export function parseDistribution(
  options: DistributedOptions & Pick<ReadingOptions, "badRows" | "httpHeader">,
): Distribution {
  const { redis, spill, local, name, shards, shardSize, width, backend = "auto" } = options;
  if (options.badRows === "skip") {
    throw new PolybinError(
      "ERR_INPUT",
      "expected --bad-rows error, since workers would not say what they leave out; polybin hist --shard says it",
    );
  }
  if (options.httpHeader !== undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected no --http-header, since tasks carry no headers to the workers that read",
    );
  }
  if (redis !== undefined && local !== undefined) throw both("--redis", "--local");
  if (shards !== undefined && shardSize !== undefined) throw both("--shards", "--shard-size");
  return {
    redis,
    spill: spill === undefined ? undefined : resolve(spill),
    local: local === undefined ? null : parseWhole(local, "--local", 1, MOST_WORKERS),
    name,
    cut:
      shards !== undefined
        ? { shards: parseWhole(shards, "--shards", 1, MOST_SHARDS) }
        : shardSize === undefined
          ? undefined
          : { bytes: parseWhole(shardSize, "--shard-size", 1, MOST_MIB) * MIB },
    width: width === undefined ? undefined : parseWhole(width, "--width", 2, MOST_WIDTH),
    backend,
  };
}
