import {
  type Axis,
  PolybinError,
  regular,
  type SampleType,
  type SegmentsInit,
  type Slug,
  variable,
} from "@polybin/core";
import { type AxisOptions, algorithms, limits, SAMPLE_TYPES, SLUGS } from "@polybin/core/backend";
import { edgeTexts, parseNumber, parseNumbers, parseWhole } from "./numbers.ts";
import { type CuttingOptions, parseSegments } from "./segments-request.ts";
import { type ReadingOptions, refuseReading } from "./tables/reading.ts";
import type { ShardOptions } from "./tables/shard-options.ts";
import { parseView, type View, type ViewOptions } from "./view.ts";

/** The options of `polybin hist` as they were typed. */
export interface HistOptions extends CuttingOptions, ViewOptions, ReadingOptions, ShardOptions {
  readonly type?: string;
  readonly raw?: boolean;
  readonly lenient?: boolean;
  readonly bins?: string;
  readonly range?: string;
  readonly edges?: string;
  readonly channel: string;
  readonly by?: string;
  readonly mask?: string;
  readonly column?: readonly string[];
  readonly backend: string;
  readonly algorithm: string;
  readonly k?: string;
  readonly threads?: string;
}

/** A count to make, checked as far as possible before a byte is read. */
export interface Request {
  /** Null if not given. Raw bytes are then u8. */
  readonly type: SampleType | null;
  readonly raw: boolean;
  /** Whether to count what can be decoded of a damaged picture. */
  readonly lenient: boolean;
  /** Null if not given. */
  readonly bins: number | null;
  /** From --range LO,HI or --edges. Null if the type or the samples decide. */
  readonly axis: Axis | null;
  /** --range data or type. Null if not given. */
  readonly range: "data" | "type" | null;
  readonly channel: string;
  /** Path of the groups' codes. Null for one histogram of all samples. */
  readonly by: string | null;
  /** Path of the mask. Null to count all samples. */
  readonly mask: string | null;
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly k: number | undefined;
  readonly threads: number | undefined;
  /** --every or --tiles. Null for one histogram of all samples. */
  readonly segments: SegmentsInit | null;
  readonly view: View;
}

/** Bins of the default axis. */
export const BINS: number = limits.BYTE_VALUES;
/** Bins of the default axis of a 16-bit picture: one per value. */
const PICTURE_U16_BINS = limits.HALF_VALUES;
/** The values of `--channel`. */
export const CHANNELS: readonly string[] = ["r", "g", "b", "a", "c", "m", "y", "k", "grey", "all"];

/**
 * Reads the options.
 * @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT with what was expected.
 */
export function parseRequest(options: HistOptions): Request {
  const { json, csv, type, raw = false, lenient = false, channel, backend, algorithm } = options;
  if (json && csv) throw new PolybinError("ERR_INPUT", "expected either --json or --csv but received both");
  refuseReading(options, "--column");
  checkExplain(options);
  checkSelection(options);
  if (raw && lenient) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected either --raw, which decodes nothing, or --lenient but received both",
    );
  }
  return {
    type: type === undefined ? null : oneOf(type, SAMPLE_TYPES, "--type"),
    raw,
    lenient,
    bins: options.bins === undefined ? null : parseBins(options.bins),
    ...parseAxis(options),
    channel: oneOf(channel, CHANNELS, "--channel"),
    by: options.by ?? null,
    mask: options.mask ?? null,
    backend,
    algorithm: parseAlgorithm(algorithm),
    k: parseK(options),
    threads: parseThreads(options.threads),
    segments: parseSegments(options),
    view: parseView(options),
  };
}

/** An explanation has no counts to write. */
function checkExplain({ explain, csv, svg, png }: HistOptions): void {
  if (!explain) return;
  for (const [name, given] of Object.entries({ csv, svg, png })) {
    if (given === undefined || given === false) continue;
    throw new PolybinError(
      "ERR_INPUT",
      `expected either --explain, which counts nothing, or --${name} but received both`,
    );
  }
}

/** Groups are printed as JSON, and no plan or matrix knows groups and masks. */
function checkSelection({ by, mask, ...options }: HistOptions): void {
  const given = by !== undefined ? "--by" : mask !== undefined ? "--mask" : null;
  if (given === null) return;
  for (const name of ["explain", "every", "tiles"] as const) {
    if (options[name]) {
      throw new PolybinError("ERR_INPUT", `expected either ${given} or --${name} but received both`);
    }
  }
  if (by === undefined) return;
  if (!options.json) {
    throw new PolybinError("ERR_INPUT", "expected --json with --by, which prints one histogram per group");
  }
  for (const name of ["svg", "png"] as const) {
    if (options[name] === undefined) continue;
    throw new PolybinError(
      "ERR_INPUT",
      `expected either --by or --${name}, which draws no groups, but received both`,
    );
  }
}

/** Whether the options ask for columns of a table, or for a shard. */
export function isTable({ column, shard, extent, extentFrom, out }: HistOptions): boolean {
  return [column, shard, extent, extentFrom, out].some((given) => given !== undefined);
}

/** Whether samples are divided into groups or left out. */
export function isSelected({ by, mask }: Pick<Request, "by" | "mask">): boolean {
  return by !== null || mask !== null;
}

/** The axis options of the engine's call for these samples. */
export function axisOptions(
  { axis, bins, range }: Request,
  type: SampleType,
  isPicture: boolean,
): AxisOptions {
  if (axis !== null) return { axis };
  const own = isPicture && type === "u16" && range !== "data" ? PICTURE_U16_BINS : BINS;
  return { bins: bins ?? own, ...(range === null ? {} : { range }) };
}

/** Reads a number of bins. @throws ERR_AXIS, ERR_INPUT */
export function parseBins(text: string): number {
  // An axis checks its number of bins itself.
  return regular(parseNumber(text, "--bins"), 0, 1).bins;
}

function parseAxis({ range, edges, bins }: HistOptions): Pick<Request, "axis" | "range"> {
  if (edges !== undefined) {
    if (range !== undefined || bins !== undefined) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected --edges alone, which decide the bins and the range, but received --${range === undefined ? "bins" : "range"} too`,
      );
    }
    return { axis: variable(edgeTexts(edges).map((edge) => parseNumber(edge, "--edges"))), range: null };
  }
  if (range === undefined) return { axis: null, range: null };
  if (range === "data" || range === "type") return { axis: null, range };
  // Text without a comma is no range, whether it is a number or a word.
  const [lo, hi, ...more] = range.includes(",") ? parseNumbers(range, "--range") : [];
  if (hi === undefined || more.length > 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected LO,HI, data or type for --range but received ${JSON.stringify(range)}`,
    );
  }
  return { axis: regular(bins === undefined ? BINS : parseBins(bins), lo!, hi), range: null };
}

/** Reads `--algorithm`. @throws ERR_UNSUPPORTED */
export function parseAlgorithm(text: string): Slug | "auto" {
  if (text === "auto" || Object.hasOwn(algorithms, text)) return text as Slug | "auto";
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected auto or one of ${SLUGS.join(", ")} for --algorithm but received ${JSON.stringify(text)}`,
  );
}

/** Reads `--k`. @throws ERR_INPUT */
export function parseK({ k, algorithm }: Pick<HistOptions, "k" | "algorithm">): number | undefined {
  if (k === undefined) return undefined;
  const value = parseNumber(k, "--k");
  const takers = SLUGS.filter((slug) => "k" in algorithms[slug].parameters);
  if (!takers.includes(algorithm as Slug)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --algorithm ${takers.join(" or ")} with --k but received ${algorithm}, which does not take it`,
    );
  }
  return value;
}

/** @throws ERR_INPUT if several inputs are standard input, which can be read once */
export function checkOneStdin(paths: readonly (string | null | undefined)[]): void {
  if (paths.filter((path) => path === "-").length <= 1) return;
  throw new PolybinError("ERR_INPUT", "expected - for one input at most but received it again");
}

/** Reads `--threads`, whose limit core defines. @throws ERR_INPUT */
export function parseThreads(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseWhole(text, "--threads", 1, limits.MAX_THREADS);
}

/** Checks that text is one of the choices. @throws ERR_INPUT */
export function oneOf<T extends string>(text: string, choices: readonly T[], name: string): T {
  if ((choices as readonly string[]).includes(text)) return text as T;
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${choices.join(", ")} for ${name} but received ${JSON.stringify(text)}`,
  );
}
