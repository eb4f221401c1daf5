import type { Scale } from "@polybin/columns/plots";
import { PolybinError } from "@polybin/core";
import { type Percent, parsePercents } from "./percentiles.ts";

/** The choices that decide how a result is shown. */
export interface View {
  /** The scale of the counts. Null if the counts decide it. */
  readonly scale: Scale | null;
  /** In the order they were given. */
  readonly percentiles: readonly Percent[];
  /** Whether to show moments and thresholds, too. */
  readonly stats: boolean;
}

/** The values of `--scale`. */
export const SCALES: readonly Scale[] = ["linear", "log"];

/** The options of a view, and those that it does not go with. */
export interface ViewOptions {
  readonly scale?: string;
  readonly percentiles?: string;
  readonly stats?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly explain?: boolean;
  readonly every?: string;
  readonly tiles?: string;
  readonly svg?: string;
  readonly png?: string;
}

/** The percentiles of `--stats` if none are named. */
const COMMON_PERCENTILES = "0,1,25,50,75,99,100";

/** Reads the options. @throws ERR_INPUT, also for an option that would change nothing */
export function parseView(options: ViewOptions): View {
  const { scale, stats = false, json, csv, svg, png } = options;
  const percentiles = options.percentiles ?? (stats ? COMMON_PERCENTILES : undefined);
  const numbers = stats ? "--stats" : percentiles === undefined ? null : "--percentiles";
  const isDrawn = !(json || csv) || svg !== undefined || png !== undefined;
  if (scale !== undefined && !isDrawn) throw useless("--scale", json ? "--json" : "--csv", "draws nothing");
  if (numbers !== null && csv) throw useless(numbers, "--csv", "prints bins alone");
  for (const name of ["explain", "every", "tiles"] as const) {
    if (!options[name]) continue;
    const given = scale !== undefined ? "--scale" : numbers;
    if (given !== null)
      throw useless(given, `--${name}`, name === "explain" ? "counts nothing" : "prints a matrix");
  }
  return {
    scale: scale === undefined ? null : scaleOf(scale),
    percentiles: percentiles === undefined ? [] : parsePercents(percentiles),
    stats,
  };
}

function scaleOf(text: string): Scale {
  const found = SCALES.find((scale) => scale === text);
  if (found !== undefined) return found;
  throw new PolybinError(
    "ERR_INPUT",
    `expected one of ${SCALES.join(", ")} for --scale but received ${JSON.stringify(text)}`,
  );
}

function useless(option: string, other: string, why: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected either ${option} or ${other}, which ${why}, but received both`,
  );
}
