import type { Command } from "commander";
import { chartOptions, EXIT_CODES, HELP_OPTION, newCommand, withManual } from "../options/index.ts";
import type { MergeOptions } from "./merge.ts";

/** `polybin merge`: its options and its help. */
export function mergeCommand(signal: AbortSignal): Command {
  const command = chartOptions(
    newCommand("merge")
      .description(
        "Add up the parts that hist, joint and weighted wrote with --shard, and print the result of the whole; or, with --out, join those of profile and compare for --after.",
      )
      .argument("<PART...>", "files of --out, in any order")
      .optionsGroup("Output:")
      .option("--json", "print one JSON object in place of a chart")
      .option("--csv", "print lines of CSV in place of a chart"),
  )
    .option(
      "--out <FILE>",
      "print nothing; write the merged part, as JSON if the name ends in .json, else as bytes",
    )
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (paths: readonly string[], options: MergeOptions) => {
      const { merge } = await import("./merge.ts");
      await merge(paths, options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin merge part*.json", "the chart of all shards together"],
      [
        "polybin merge part*.bin --json > counts.json",
        "the same object as one run prints, without the device",
      ],
      ["polybin merge extent*.json --out extent.json", "the range of all shards, for --extent-from"],
      ["polybin merge part-1*.bin --out some.bin", "a part of several shards, which can be merged again"],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Parts: the counts do not depend on the order in which parts are merged. Parts of different files, options or numbers " +
    "of shards, a shard that is given twice, and damaged parts are refused. Without --out, every shard must be there, and " +
    "the error names the missing ones.",
  EXIT_CODES,
];
