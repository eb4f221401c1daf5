import { PolybinError } from "@polybin/core";
import type { Command } from "commander";
import { parseWhole } from "../base/index.ts";
import { dashed, refuse } from "./checks.ts";

/** The options of shards as they were typed. */
export interface ShardOptions {
  readonly shard?: string;
  readonly extent?: boolean;
  readonly extentFrom?: string;
  readonly out?: string;
}

/** The most shards of a command. */
const MOST_SHARDS = 1_000_000;

/** A shard of a command. */
interface ShardRequest {
  /** From 0 on. */
  readonly index: number;
  readonly of: number;
}

/** The shard of a command, and the file that it writes. */
export interface OwnShard {
  /** Null: everything at once. */
  readonly shard: ShardRequest | null;
  /** Path of the partial result. Null to print the result. */
  readonly out: string | null;
}

/** A shard of a histogram, whose range may be that of an earlier pass. */
export interface PartRequest extends OwnShard {
  /** Whether to find the extents only. */
  readonly extent: boolean;
  /** Path of the extents of an earlier pass. */
  readonly extentFrom: string | null;
}

/** Adds the options of a shard and its file. @param needs what a shard needs */
export function partOptions(command: Command, needs: string): Command {
  return command
    .option("--shard <I/N>", `count shard I of N, from 0 to N - 1; needs ${needs}`)
    .option(
      "--out <FILE>",
      "write the counts for polybin merge, as JSON if the name ends in .json, else as bytes",
    );
}

/** Adds the options of shards. @param range what the shards share: "a range" or "ranges" */
export function shardOptions(command: Command, range: "a range" | "ranges"): Command {
  return partOptions(command, `--out, and ${range} that all shards share`)
    .option("--extent", "find the smallest and largest values only; needs --out")
    .option(
      "--extent-from <FILE>",
      `the ${range.replace("a ", "")} that polybin merge found among the files of --extent`,
    );
}

/** The name of an option of shards that is given. Null if none is. */
export function givenShard(options: ShardOptions): keyof ShardOptions | null {
  const names = ["shard", "extent", "extentFrom", "out"] as const;
  return names.find((name) => options[name] !== undefined) ?? null;
}

/** The options that print a result, and those that decide the bins. */
const PRINTING = ["json", "csv", "svg", "png", "scale", "percentiles", "stats"] as const;
const BINS = ["extentFrom", "bins", "range"] as const;

/** Reads the options of shards. @throws ERR_INPUT, also for options that have no effect */
export function parsePart(
  options: ShardOptions & { readonly [name in (typeof PRINTING)[number] | (typeof BINS)[number]]?: unknown },
): PartRequest {
  const { extent = false, extentFrom } = options;
  if (extent) refuse(options, "--extent", BINS, "needs the extent first");
  return { ...parseShard(options, PRINTING), extent, extentFrom: extentFrom ?? null };
}

/**
 * Reads the shard and its file.
 * @param printing the options that print a result
 * @throws ERR_INPUT, also for options that have no effect
 */
export function parseShard<Name extends string>(
  options: ShardOptions & { readonly [name in Name]?: unknown },
  printing: readonly Name[],
): OwnShard {
  const { shard, out } = options;
  const given = givenShard(options);
  if (out === undefined && given !== null) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --out FILE with --${dashed(given)}, whose result polybin merge prints`,
    );
  }
  if (out !== undefined) refuse(options, "--out", printing, "prints a whole result, as polybin merge does");
  return { shard: shard === undefined ? null : numbered(shard), out: out ?? null };
}

/** Reads 3/64: shard 3 of 64, which are numbered from 0. @throws ERR_INPUT */
function numbered(text: string): ShardRequest {
  const [index, of, more] = text.split("/");
  if (of === undefined || more !== undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected I/N, such as 3/64, for --shard but received ${JSON.stringify(text)}`,
    );
  }
  const shards = parseWhole(of, "--shard", 1, MOST_SHARDS);
  if (index === of) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected 0/${of} to ${shards - 1}/${of} for --shard, since shards are numbered from 0, but received ${text}`,
    );
  }
  return { index: parseWhole(index!, "--shard", 0, shards - 1), of: shards };
}
