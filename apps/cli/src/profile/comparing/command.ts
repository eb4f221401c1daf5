import { limits } from "@polybin/core/backend";
import type { Command } from "commander";
import {
  backendOption,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  readingOptions,
  withManual,
  withOutput,
} from "../../options/index.ts";
import { afterOption, profileOutput } from "../options.ts";
import type { CompareOptions } from "./request.ts";

/** `polybin compare`: its options and its help. */
export function compareCommand(signal: AbortSignal): Command {
  const command = newCommand("compare");
  command
    .description(
      "Compare two tables, or two profiles, column by column: what came, went and changed, and how far the values moved.",
    )
    .argument("<A>", "the table before, or its profile: JSON that profile --json printed")
    .argument("<B>", "the table after, or its profile")
    .optionsGroup("Input:")
    .option("-c, --columns <A,B>", "names of the columns to compare (default: all)");
  readingOptions(command)
    .optionsGroup("Counts:")
    .option("-b, --bins <N>", `the most bins of a histogram, 1 to ${limits.MAX_BINS} (default: 256)`)
    .option("--top <N>", "number of most frequent values to list, 0 to 1000 (default: 10)")
    .option(
      "--distinct-limit <N>",
      "the most different values of a column to count exactly; 0 counts none (default: that of profile)",
    );
  afterOption(profileOutput(command).optionsGroup("Shards:"))
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
    .action(async (a: string, b: string, options: CompareOptions) => {
      const { compareFiles } = await import("./compare.ts");
      await compareFiles([a, b], withOutput(options, ["html"]), signal);
    });
  return withManual(command, {
    examples: [
      ["polybin compare may.parquet june.parquet", "the columns that changed most first"],
      ["polybin compare may.csv june.csv --html drift.html", "a report with a picture of each column"],
      ["polybin compare may.json june.json --json", "two profiles, without their tables"],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Distance: 0 for equal distributions, 1 for those without a common value. Numbers and times have the Kolmogorov-Smirnov " +
    "distance, the largest difference between the shares of values below any number. Text and booleans have the total " +
    "variation, half the sum of the differences of all shares. Nulls and NaN take no part.",
  "Bounds: up to --distinct-limit different values, the distance is that of the values. Above it, it comes from common bins, " +
    "or from the frequent values, and is shown with its bounds if they differ.",
  "Shards: shard I of N counts shard I of both tables. Passes are counted, merged and taken with --after as those of " +
    "polybin profile; the tables' second passes share the ranges of both.",
  "Bins: columns with one name and type in both tables have the same bins. Those of two profiles may differ, which widens " +
    "the bounds.",
  EXIT_CODES,
];
