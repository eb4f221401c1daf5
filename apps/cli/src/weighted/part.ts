import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PolybinError } from "@polybin/core";
import type { Precision, SumsPlan } from "@polybin/core/backend";
import type { Source } from "../input/index.ts";
import { type Target, writeWhole } from "../output/index.ts";
import type { WeightedResult, WeightsSummary } from "./add-up.ts";
import { HEAD } from "./part-head.ts";
import type { WeightedRequest } from "./request.ts";

const VERSION = 1;

/** The sums of a feature in a part. */
export interface PartFeature {
  readonly index: number;
  readonly edges: readonly number[];
  readonly counts: readonly number[];
  readonly sums: readonly number[];
  readonly sumsOfSquares: readonly number[] | null;
  /** The place of its plan in the plans of the part. */
  readonly plan: number;
}

/** The sums of some shards. */
export interface WeightedPart {
  /** Everything that shards have in common: parts with equal tasks are of one run. */
  readonly task: {
    /** SHA-256 of the weights, if they have a file, and of the documents. */
    readonly bytes: readonly string[];
    readonly bins: number;
    readonly squares: boolean;
    readonly precision: Precision;
    readonly limbs: number | null;
    readonly algorithm: string;
    readonly of: number;
    readonly name: string;
    readonly documents: number;
    readonly weights: WeightsSummary;
  };
  /** The shards that are in it, ascending. */
  readonly covered: readonly number[];
  /** Values that the file names for these features. */
  readonly values: number;
  /** Null without features, and for the precision "fast". */
  readonly quantum: number | null;
  readonly plans: readonly SumsPlan[];
  /** In the order of the indices. */
  readonly features: readonly PartFeature[];
}

/** Counts a shard and writes it. @param count counts what the function that it receives lets it read */
export async function weightedPart(
  target: Target,
  { shard, bins, squares, precision, limbs, algorithm }: WeightedRequest,
  count: (reading: (source: Source) => Source) => Promise<WeightedResult>,
): Promise<void> {
  const bytes: string[] = [];
  const { name, documents, values, weights, quantum, features } = await count((source) =>
    hashed(source, bytes),
  );
  const { index, of } = shard ?? { index: 0, of: 1 };
  const task = {
    bytes,
    bins,
    squares,
    precision,
    limbs: limbs ?? null,
    algorithm,
    of,
    name,
    documents,
    weights,
  };
  const { plans } = features;
  const found = Array.from(features, ({ plan, ...own }): PartFeature => {
    const { sumsOfSquares } = own;
    return {
      index: own.index,
      edges: [...own.edges],
      counts: [...own.counts],
      sums: [...own.sums],
      sumsOfSquares: sumsOfSquares && [...sumsOfSquares],
      plan: plans.indexOf(plan),
    };
  });
  await writeWeightedPart(target, { task, covered: [index], values, quantum, plans, features: found });
}

/** The same source. The hash of everything that is read of it is added to `hashes` when it ends. */
function hashed(source: Source, hashes: string[]): Source {
  const place = hashes.push("") - 1;
  const { name, path, file, head } = source;
  async function* stream(): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const chunk of source.stream()) {
      hash.update(chunk);
      yield chunk;
    }
    hashes[place] = hash.digest("hex");
  }
  return { name, path, file, head, stream, bytesUpTo: (most) => source.bytesUpTo(most) };
}

/** Writes a part as one line of JSON. @throws ERR_LIMIT if it has more characters than a text may have */
export async function writeWeightedPart(target: Target, part: WeightedPart): Promise<void> {
  await writeWhole([{ target, data: textOf(part) }]);
}

function textOf(part: WeightedPart): string {
  try {
    const text = JSON.stringify(part);
    return `${HEAD}"version":${VERSION},"checksum":"${sha256(text)}","part":${text}}\n`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new PolybinError(
      "ERR_LIMIT",
      `expected sums that fit one file of JSON but ${part.features.length} features have too many; count more shards, or fewer --bins`,
      { cause },
    );
  }
}

/** Reads a part. @throws ERR_INPUT with the name of the file for anything else */
export async function readWeightedPart(path: string): Promise<WeightedPart> {
  const broken = (found: string): PolybinError =>
    new PolybinError("ERR_INPUT", `${path}: expected a part of polybin weighted but ${found}`);
  const text = await readFile(path, "utf8");
  if (!text.startsWith(HEAD)) throw broken("it has other first bytes");
  let json: { readonly version?: unknown; readonly checksum?: unknown; readonly part?: WeightedPart };
  try {
    json = JSON.parse(text);
  } catch {
    throw broken("it ends early, or was changed");
  }
  const { version, checksum, part } = json;
  if (version !== VERSION)
    throw broken(`its version is ${JSON.stringify(version)} and this polybin reads ${VERSION}`);
  if (part === undefined || checksum !== sha256(JSON.stringify(part))) throw broken("its checksum differs");
  return part;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
