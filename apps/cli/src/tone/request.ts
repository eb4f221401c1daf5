import { PolybinError } from "@polybin/core";
import { parseNumber, parseNumbers, parseWhole } from "../base/index.ts";
import { parseThreads } from "../options/index.ts";

/** The options of `polybin tone` as they were typed. */
export interface ToneOptions {
  readonly equalize?: boolean;
  readonly clahe?: boolean;
  readonly stretch?: string;
  readonly match?: string;
  readonly clipLimit?: string;
  readonly grid?: string;
  readonly backend: string;
  readonly threads?: string;
}

/** A change of the values of each channel. */
export type Tone =
  | { readonly kind: "equalize" }
  | { readonly kind: "stretch"; readonly low: number; readonly high: number }
  /** `reference` is a path. */
  | { readonly kind: "match"; readonly reference: string }
  | {
      readonly kind: "clahe";
      readonly clipLimit: number;
      readonly columns: number;
      readonly rows: number;
    };

/** A tone to apply, checked as far as possible before a byte is read. */
export interface ToneRequest {
  readonly tone: Tone;
  readonly backend: string;
  readonly threads: number | undefined;
}

/** OpenCV's defaults. */
export const CLIP_LIMIT = 40;
export const GRID = "8x8";

const NAMES = ["equalize", "clahe", "stretch", "match"] as const;

/** Reads the options. @throws ERR_INPUT */
export function parseTone(options: ToneOptions): ToneRequest {
  const given = NAMES.filter((name) => options[name] !== undefined);
  if (given.length !== 1) {
    const received = given.length === 0 ? "none" : given.map((name) => `--${name}`).join(" and ");
    throw new PolybinError(
      "ERR_INPUT",
      `expected one of ${NAMES.map((name) => `--${name}`).join(", ")} but received ${received}`,
    );
  }
  const foreign =
    options.clipLimit !== undefined ? "--clip-limit" : options.grid !== undefined ? "--grid" : null;
  if (foreign !== null && given[0] !== "clahe") {
    throw new PolybinError("ERR_INPUT", `expected --clahe with ${foreign} but received --${given[0]}`);
  }
  return { tone: toneOf(options), backend: options.backend, threads: parseThreads(options.threads) };
}

function toneOf({ stretch, match, clahe, clipLimit, grid = GRID }: ToneOptions): Tone {
  if (stretch !== undefined) return { kind: "stretch", ...percentilesOf(stretch) };
  if (match !== undefined) return { kind: "match", reference: match };
  if (!clahe) return { kind: "equalize" };
  const limit = clipLimit === undefined ? CLIP_LIMIT : parseNumber(clipLimit, "--clip-limit");
  if (!(limit >= 0 && limit < Infinity)) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a number of at least 0 for --clip-limit but received ${clipLimit}`,
    );
  }
  return { kind: "clahe", clipLimit: limit, ...gridOf(grid) };
}

function percentilesOf(text: string): { readonly low: number; readonly high: number } {
  const [low, high, ...more] = text.includes(",") ? parseNumbers(text, "--stretch") : [];
  if (high !== undefined && more.length === 0 && low! >= 0 && low! < high && high <= 100) {
    return { low: low!, high };
  }
  throw new PolybinError(
    "ERR_INPUT",
    `expected two ascending percentiles from 0 to 100, such as 1,99, for --stretch but received ${JSON.stringify(text)}`,
  );
}

function gridOf(text: string): { readonly columns: number; readonly rows: number } {
  const [columns, rows, ...more] = text.split("x");
  if (rows === undefined || more.length > 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected COLUMNSxROWS, such as 8x8, for --grid but received ${JSON.stringify(text)}`,
    );
  }
  const side = (part: string): number => parseWhole(part, "--grid", 1, Number.MAX_SAFE_INTEGER);
  return { columns: side(columns!), rows: side(rows) };
}
