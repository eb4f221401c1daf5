import type { Scale } from "@polybin/columns/plots";
import type { Command } from "commander";
import { both, oneOf } from "./checks.ts";
import { choice } from "./option.ts";
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

/** The view without options: charts choose their scale. */
export const DEFAULT_VIEW: View = { scale: null, percentiles: [], stats: false };

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

/** Adds the options of a histogram's chart, numbers and plots. */
export function chartOptions(command: Command): Command {
  return command
    .addOption(
      choice(
        "--scale <SCALE>",
        "scale of the counts in charts and plots: linear or log (default: log if linear would flatten most bins)",
        SCALES,
      ),
    )
    .option("--percentiles <P,P>", "also print these percentiles, 0 to 100, such as 1,50,99.9")
    .option("--stats", "also print percentiles, mean, standard deviation, mode, entropy and thresholds")
    .option("--svg <FILE>", "also draw a plot as SVG")
    .option("--png <FILE>", "also draw a plot as PNG");
}

/** The percentiles of `--stats` if none are named. */
const COMMON_PERCENTILES = "0,1,25,50,75,99,100";

/** Reads the options. @throws ERR_INPUT, also for an option that would change nothing */
export function parseView(options: ViewOptions): View {
  const { scale, stats = false, json, csv, svg, png } = options;
  const percentiles = options.percentiles ?? (stats ? COMMON_PERCENTILES : undefined);
  const numbers = stats ? "--stats" : percentiles === undefined ? null : "--percentiles";
  const isDrawn = !(json || csv) || svg !== undefined || png !== undefined;
  if (scale !== undefined && !isDrawn) throw both("--scale", json ? "--json" : "--csv", "draws nothing");
  if (numbers !== null && csv) throw both(numbers, "--csv", "prints bins alone");
  for (const name of ["explain", "every", "tiles"] as const) {
    if (!options[name]) continue;
    const given = scale !== undefined ? "--scale" : numbers;
    if (given !== null)
      throw both(given, `--${name}`, name === "explain" ? "counts nothing" : "prints a matrix");
  }
  return {
    scale: scale === undefined ? null : oneOf(scale, SCALES, "--scale"),
    percentiles: percentiles === undefined ? [] : parsePercents(percentiles),
    stats,
  };
}
