import { limits, PRECISIONS, WEIGHTED_SLUGS } from "@polybin/core/backend";
import type { Command } from "commander";
import {
  backendOption,
  choice,
  EXIT_CODES,
  HELP_OPTION,
  newCommand,
  partOptions,
  threadsOption,
  withManual,
} from "../options/index.ts";
import type { WeightedOptions } from "./request.ts";

/** `polybin weighted`: its options and its help. */
export function weightedCommand(signal: AbortSignal): Command {
  const command = newCommand("weighted");
  command
    .allowExcessArguments(false)
    .description("Add up weights over the bins of every feature of a LIBSVM file.")
    .argument(
      "<FILE>",
      "text with one document per line, label [qid:n] index:value …, or - for standard input",
    )
    .optionsGroup("Input:")
    .option("--weights <FILE>", "the documents' weights, one per line (default: their labels)")
    .optionsGroup("Bins and sums:")
    .option(
      "--bins <N>",
      `cut each feature into at most N bins of about equally many documents, ${limits.FEATURE_BINS_MIN} to ${limits.MAX_BINS}`,
      String(limits.BYTE_VALUES),
    )
    .option("--squares", "also add up the squares of the weights; --json prints them")
    .addOption(
      choice(
        "--precision <P>",
        "precision of the sums: reproducible, the same bits on every backend, or fast, 32-bit floats",
        PRECISIONS,
      ).default("reproducible"),
    )
    .addOption(
      choice(
        "--limbs <N>",
        "integers per weight: 1, or 2 for sums up to 2^20 times finer in about twice the time (default: 1)",
        ["1", "2"],
      ),
    )
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a table")
    .optionsGroup("Shards:");
  partOptions(command, "--out")
    .optionsGroup("Backend:")
    .addOption(backendOption("the first of cuda, webgpu, native and piscina that works here"))
    .addOption(
      choice("--algorithm <SLUG>", "algorithm: auto, or a weighted one that `polybin backends` lists", [
        "auto",
        ...WEIGHTED_SLUGS,
      ]).default("auto"),
    )
    .addOption(threadsOption())
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (file: string, options: WeightedOptions) => {
      const { weighted } = await import("./weighted.ts");
      await weighted(file, options, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin weighted rank.train", "the mean label along every feature, the most telling features first"],
      [
        "polybin weighted rank.train --shard 0/4 --out sums-0.json",
        "a quarter of the features, for polybin merge",
      ],
      [
        "polybin weighted rank.train --bins 64 --weights gradients.txt --json",
        "sums of gradients in 64 bins",
      ],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Values: a value that a line does not name is 0.",
  "Bins: the quantiles of all documents cut a feature. Equal values share a bin, so a feature with few different values " +
    "has fewer bins, and a frequent value takes no bin from the others. Bin i holds edges[i] <= x < edges[i+1], and the " +
    "last bin also holds its right edge, as in numpy.histogram(values, edges, weights=weights).",
  "Shards: a shard reads the whole file and keeps every Nth feature, so it takes a part of the memory and of the work. " +
    "polybin merge joins them to what one run prints.",
  "Table: it lists the features whose best split explains most of the weights' variance.",
  EXIT_CODES,
];
