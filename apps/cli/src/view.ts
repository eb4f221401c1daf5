import { PolybinError } from "@polybin/core";
import type { Scale } from "./output/columns.ts";
import { type Percent, parsePercents } from "./percentiles.ts";

/** The choices that decide how a result is shown. */
export interface View {
  /** The scale of the counts. Null if the counts decide it. */
  readonly scale: Scale | null;
  /** In the order they were given. */
  readonly percentiles: readonly Percent[];
}

/** The values of `--scale`. */
export const SCALES: readonly Scale[] = ["linear", "log"];

/** The options of a view, and those that it does not go with. */
export interface ViewOptions {
  readonly scale?: string;
  readonly percentiles?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly explain?: boolean;
  readonly every?: string;
  readonly tiles?: string;
  readonly svg?: string;
  readonly png?: string;
}

/** Reads the options. @throws ERR_INPUT, also for an option that would change nothing */
export function parseView(options: ViewOptions): View {
  const { scale, percentiles, json, csv, svg, png } = options;
  const isDrawn = !(json || csv) || svg !== undefined || png !== undefined;
  if (scale !== undefined && !isDrawn) throw useless("--scale", json ? "--json" : "--csv", "draws nothing");
  if (percentiles !== undefined && csv) throw useless("--percentiles", "--csv", "prints bins alone");
  for (const name of ["explain", "every", "tiles"] as const) {
    if (!options[name]) continue;
    const given = scale !== undefined ? "--scale" : percentiles !== undefined ? "--percentiles" : null;
    if (given !== null)
      throw useless(given, `--${name}`, name === "explain" ? "counts nothing" : "prints a matrix");
  }
  return {
    scale: scale === undefined ? null : scaleOf(scale),
    percentiles: percentiles === undefined ? [] : parsePercents(percentiles),
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
