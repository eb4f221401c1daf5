import { limits } from "@polybin/core/backend";
import { type Command, Option } from "commander";
import { collected, outputOption, partOptions, readingOptions } from "../options/index.ts";

/** Adds the options of every profile, here and on a cluster. @param distinctLimit the default of --distinct-limit */
export function profileOptions(command: Command, distinctLimit: number): Command {
  command
    .optionsGroup("Input:")
    .option("-c, --columns <A,B>", "names of the columns to profile (default: all)");
  return readingOptions(command)
    .optionsGroup("Counts:")
    .option("-b, --bins <N>", `the most bins of a histogram, 1 to ${limits.MAX_BINS} (default: 256)`)
    .option(
      "-r, --range <A=LO,HI>",
      "range of a column's bins, or of several: price=0,100,tip=0,20 (default: from the smallest to the largest value)",
    )
    .option("--joint <X,Y>", "count two columns of numbers together, or several pairs: x,y,x,z")
    .option(
      "--correlations",
      "correlate all columns of numbers and count shared nulls: reads the files once more",
    )
    .option(
      "--over <COLUMN>",
      "average all columns of numbers over a column of times or numbers, in bins of round units",
    )
    .option("--sample <N|P%>", "profile a random sample of rows: this number, or this share of them")
    .option("--seed <N>", "choose other rows for --sample, 0 to 4294967295 (default: 0)")
    .option("--duplicates", "count rows that equal an earlier row")
    .option("--top <N>", "number of most frequent values to list, 0 to 1000 (default: 10)")
    .option(
      "--distinct-limit <N>",
      `the most different values of a column to count exactly; 0 counts none (default: ${distinctLimit})`,
    );
}

/** Adds the options of how a profile is shown. */
export function profileOutput(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a table")
    .option("--html <FILE>", "also write a report: one HTML page that opens without a network")
    .addOption(outputOption("html"));
}

/** Adds the options of shards, and of passes that were counted in shards. */
export function afterOption(command: Command): Command {
  return partOptions(command, "--out").addOption(
    new Option(
      "--after <FILE>",
      "a pass whose shards polybin merge has merged: go on after it; once for each pass, the first one first",
    ).argParser(collected),
  );
}
