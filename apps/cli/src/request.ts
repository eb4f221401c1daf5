import {
  type Axis,
  algorithms,
  limits,
  PolybinError,
  regular,
  SAMPLE_TYPES,
  type SampleType,
  SLUGS,
  type Slug,
  variable,
  wholeRange,
} from "@polybin/core";
import { parseNumber, parseNumbers, parseWhole } from "./numbers.ts";

/** The options of `polybin hist` as they were typed. */
export interface HistOptions {
  readonly type?: string;
  readonly raw?: boolean;
  readonly lenient?: boolean;
  readonly bins?: string;
  readonly range?: string;
  readonly edges?: string;
  readonly channel: string;
  readonly backend: string;
  readonly algorithm: string;
  readonly k?: string;
  readonly threads?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly svg?: string;
  readonly png?: string;
}

/** What is to be counted and how, checked as far as it can be before a byte is read. */
export interface Request {
  /** Null: not said; raw bytes are then u8. */
  readonly type: SampleType | null;
  readonly raw: boolean;
  /** Count what can be decoded of a damaged picture. */
  readonly lenient: boolean;
  /** Null: not said. */
  readonly bins: number | null;
  /** From --range or --edges; null where the samples decide. */
  readonly axis: Axis | null;
  readonly channel: string;
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly k: number | undefined;
  readonly threads: number | undefined;
}

/** Bins of the default axis. */
const BINS = limits.BYTE_VALUES;
/** Bins of the default axis of a 16-bit picture: one for each value. */
const PICTURE_U16_BINS = limits.HALF_VALUES;
/** Of --threads. */
export const MOST_THREADS = 1024;
const CHANNELS: readonly string[] = ["r", "g", "b", "a", "c", "m", "y", "k", "grey", "all"];

/**
 * Reads the options.
 * @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT with what was expected.
 */
export function parseRequest(options: HistOptions): Request {
  const { json, csv, type, raw = false, lenient = false, channel, backend, algorithm } = options;
  if (json && csv) throw new PolybinError("ERR_INPUT", "expected either --json or --csv but received both");
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
    axis: parseAxis(options),
    channel: oneOf(channel, CHANNELS, "--channel"),
    backend,
    algorithm: parseAlgorithm(algorithm),
    k: parseK(options),
    threads:
      options.threads === undefined ? undefined : parseWhole(options.threads, "--threads", 1, MOST_THREADS),
  };
}

/** The axis of these samples; null for floats without a range, whose own range the data must tell. */
export function axisFor(request: Request, type: SampleType, isPicture: boolean): Axis | null {
  if (request.axis !== null) return request.axis;
  if (type === "f32" || type === "f64") return null;
  return wholeRange(type, request.bins ?? (isPicture && type === "u16" ? PICTURE_U16_BINS : BINS));
}

/** Bins of a range that the data tell. */
export function binsOf(request: Request): number {
  return request.bins ?? BINS;
}

function parseBins(text: string): number {
  // An axis knows best which numbers of bins there can be.
  return regular(parseNumber(text, "--bins"), 0, 1).bins;
}

function parseAxis({ range, edges, bins }: HistOptions): Axis | null {
  if (edges !== undefined) {
    if (range !== undefined || bins !== undefined) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected --edges alone, which say the bins and the range, but received --${range === undefined ? "bins" : "range"} too`,
      );
    }
    return variable(parseNumbers(edges, "--edges"));
  }
  if (range === undefined) return null;
  const [lo, hi, ...more] = parseNumbers(range, "--range");
  if (hi === undefined || more.length > 0) {
    throw new PolybinError("ERR_INPUT", `expected LO,HI for --range but received ${JSON.stringify(range)}`);
  }
  return regular(bins === undefined ? BINS : parseBins(bins), lo!, hi);
}

function parseAlgorithm(text: string): Slug | "auto" {
  if (text === "auto" || Object.hasOwn(algorithms, text)) return text as Slug | "auto";
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected auto or one of ${SLUGS.join(", ")} for --algorithm but received ${JSON.stringify(text)}`,
  );
}

function parseK({ k, algorithm }: HistOptions): number | undefined {
  if (k === undefined) return undefined;
  const value = parseNumber(k, "--k");
  const takers = SLUGS.filter((slug) => "k" in algorithms[slug].parameters);
  if (!takers.includes(algorithm as Slug)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected --algorithm ${takers.join(" or ")} beside --k but received ${algorithm}, which does not take it`,
    );
  }
  return value;
}

/** @throws ERR_INPUT where the text is none of the choices. */
export function oneOf<T extends string>(text: string, choices: readonly T[], name: string): T {
  if ((choices as readonly string[]).includes(text)) return text as T;
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${choices.join(", ")} for ${name} but received ${JSON.stringify(text)}`,
  );
}
