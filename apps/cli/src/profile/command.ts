import { limits } from "@polybin/core/backend";
import type { Command } from "commander";
import {
  backendOption,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  readingOptions,
  withManual,
} from "../options/index.ts";
import type { ProfileOptions } from "./request.ts";

/** `polybin profile`: its options and its help. */
export function profileCommand(signal: AbortSignal): Command {
  const command = newCommand("profile");
  command
    .description(
      "Profile every column of tables: nulls, different values, extent, moments, quantiles, histogram and the most frequent values.",
    )
    .argument("<FILE...>", "tables: CSV, TSV, Parquet and others, or - for standard input")
    .optionsGroup("Input:")
    .option("--columns <A,B>", "names of the columns to profile (default: all)");
  readingOptions(command)
    .optionsGroup("Counts:")
    .option("--bins <N>", `the most bins of a histogram, 1 to ${limits.MAX_BINS} (default: 256)`)
    .option(
      "--range <A=LO,HI>",
      "range of a column's bins, or of several: price=0,100,tip=0,20 (default: from the smallest to the largest value)",
    )
    .option("--joint <X,Y>", "count two columns of numbers together, or several pairs: x,y,x,z")
    .option("--top <N>", "number of most frequent values to list, 0 to 1000 (default: 10)")
    .option(
      "--distinct-limit <N>",
      "the most different values of a column to count exactly; 0 counts none (default: 100000)",
    )
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a table")
    .option("--html <FILE>", "also write a report: one HTML page that opens without a network")
    .optionsGroup("Backend:")
    .addOption(
      backendOption(
        "one thread for small tables, else the first of cuda, webgpu and piscina that works here",
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
      await profileFiles(files, options, signal);
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
  "Different values: the number is exact up to --distinct-limit, and a lower bound (at least) above it. Above it, the table " +
    "lists the frequent values that are certain: a further pass counts them exactly.",
  "Quantiles: exact up to --distinct-limit different values, else with the bounds of a bin.",
  "Numbers: timestamps, dates and decimals in --json are the stored integers of the column's unit. Mean and standard " +
    "deviation come from exact sums.",
  EXIT_CODES,
];
