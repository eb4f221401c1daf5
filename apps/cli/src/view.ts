import { PolybinError } from "@polybin/core";
import type { Scale } from "./output/columns.ts";
import { type Percent, parsePercents } from "./percentiles.ts";

/** How a result is shown. */
export interface View {
  /** Of the counts; null: as the counts suggest. */
  readonly scale: Scale | null;
  /** In the order they were given. */
  readonly percentiles: readonly Percent[];
}

/** What `--scale` may be. */
export const SCALES: readonly Scale[] = ["linear", "log"];

/** The options that decide it, and those that show something else. */
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

/** @throws ERR_INPUT for an option that would change nothing, too */
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
