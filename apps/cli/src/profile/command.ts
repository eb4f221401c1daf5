import { limits } from "@polybin/core/backend";
import type { Command } from "commander";
import {
  backendOption,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  withManual,
  withOutput,
} from "../options/index.ts";
import { afterOption, profileOptions, profileOutput } from "./options.ts";
import type { ProfileOptions } from "./request.ts";

/** The default of `profile` of @polybin/columns. */
const DISTINCT_LIMIT = 100_000;

/** `polybin profile`: its options and its help. */
export function profileCommand(signal: AbortSignal): Command {
  const command = newCommand("profile");
  command
    .description(
      "Profile every column of tables: nulls, different values, extent, moments, quantiles, histogram and the most frequent values.",
    )
    .argument("<FILE...>", "tables: CSV, TSV, Parquet and others, or - for standard input");
  afterOption(profileOutput(profileOptions(command, DISTINCT_LIMIT)).optionsGroup("Shards:"))
    .optionsGroup("Backend:")
    .addOption(
      backendOption(
        "compiled kernels for small tables, else the first of cuda, webgpu, native and piscina that works here",
      ),
    )
    .option(
      "--threads <N>",
      `threads that decode the files, 1 to ${limits.MAX_THREADS} (default: as many as the machine runs at once)`,
    )
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (files: readonly string[], options: ProfileOptions) => {
      const { profileFiles } = await import("./profile.ts");
      await profileFiles(files, withOutput(options, ["html"]), signal);
    });
  return withManual(command, {
    examples: [
      ["polybin profile trips.parquet", "a table with one line per column"],
      [
        "polybin profile 2024-*.csv --columns price,tip --joint price,tip --html report.html",
        "a report of two columns",
      ],
      ["polybin profile trips.parquet --distinct-limit 0 --json", "no different values: faster"],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Files: columns of the same name in several files are one column and must have one type.",
  "Passes: the files are read once if their statistics or --range give the range of every column, or if the other columns " +
    "fit in memory. Otherwise a second pass reads these columns again. Standard input can be read only once.",
  "Different values: the number is exact up to --distinct-limit. Above it, it is an estimate by HyperLogLog, with its error and a bound that is certain. Above it, the table " +
    "lists the frequent values that are certain: a further pass counts them exactly.",
  "Quantiles: exact up to --distinct-limit different values, else with the bounds of a bin.",
  "Shards: a pass is counted with --shard I/N and --out, and polybin merge --out merges its parts. The same command " +
    "with --after and that file counts the next pass, or prints the profile if none is left. Without --shard and --out, " +
    "what is left is counted here.",
  "Numbers: timestamps, dates and decimals in --json are the stored integers of the column's unit. Mean and standard " +
    "deviation come from exact sums.",
  EXIT_CODES,
];
