import { PolybinError } from "@polybin/core";
import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { type Command, Option } from "commander";
import {
  algorithmOption,
  backendOption,
  CHANNELS,
  chartOptions,
  choice,
  collected,
  EXIT_CODES,
  HELP_OPTION,
  kOption,
  maskOption,
  newCommand,
  outputOption,
  pictureOptions,
  readingOptions,
  shardOptions,
  threadsOption,
  withManual,
  withOutput,
} from "../options/index.ts";
import type { HistOptions } from "./request.ts";

/** `polybin hist`: its options and its help. */
export function histCommand(signal: AbortSignal): Command {
  const command = newCommand("hist");
  command
    .allowExcessArguments(false)
    .description("Count the values of a picture's channels, of the columns of tables, or of any other file.")
    .argument(
      "[FILE...]",
      "pictures, tables, or any other file, or - for standard input, which is the default if it is a pipe; several tables, " +
        "and those of a folder, an s3: prefix or a pattern in quotation marks, are counted as one",
    )
    .optionsGroup("Input:")
    .addOption(
      choice(
        "-t, --type <TYPE>",
        `type of the little-endian values in a file that is not a picture: ${SAMPLE_TYPES.join(", ")} (default: u8)`,
        SAMPLE_TYPES,
      ),
    );
  pictureOptions(command)
    .addOption(
      choice(
        "--channel <NAME>",
        "the channel to count: r, g, b, a; c, m, y, k; grey (of a colour picture: Rec. 601 luma); or all",
        CHANNELS,
      ).default("all"),
    )
    .addOption(
      new Option(
        "-c, --column <NAME>",
        "a column of a table to count, or several: fare,distance; can be given several times (default: all)",
      ).argParser(collected),
    );
  maskOption(command).option(
    "--by <FILE|NAME>",
    "one histogram per group of samples: the file has the number of each sample's group, in 1, 2 or 4 bytes, or is a " +
      "grey picture; needs --json. With --column, the name of the column of the groups",
  );
  readingOptions(command)
    .optionsGroup("Bins:")
    .option(
      "-b, --bins <N>",
      `number of bins, 1 to ${limits.MAX_BINS} (default: 256; 65536 for 16-bit pictures over their whole range)`,
    )
    .addOption(
      choice(
        "-r, --range <LO,HI|data|type>",
        "range of the bins: two numbers; data, from the smallest to the largest value; or type, all values of the " +
          "type (default: type for 8 and 16 bits, data for all others)",
        ["data", "type"],
      ),
    )
    .option("--edges <A,B,C>", "ascending edges of the bins, in place of --bins and --range")
    .option("--every <N>", "one histogram per N samples; needs --json or --csv")
    .option("--tiles <WxH>", "one histogram per tile of W x H pixels of one channel; needs --json or --csv")
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a chart")
    .option("--csv", "print bin,lo,hi,count lines in place of a chart");
  chartOptions(command)
    .addOption(outputOption("svg", "png"))
    .option("--explain", "count nothing; print the plan and the device's part of it")
    .optionsGroup("Shards:");
  shardOptions(command, "a range")
    .optionsGroup("Backend:")
    .addOption(
      backendOption(
        "compiled kernels for small inputs, else the first of cuda, webgpu, native and piscina that works here",
      ),
    )
    .addOption(algorithmOption())
    .addOption(threadsOption())
    .addOption(kOption())
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (files: readonly string[], options: HistOptions) => {
      const { hist, isPiped } = await import("./hist.ts");
      const { parent } = command;
      if (files.length > 0 || isPiped())
        await hist(files.length > 0 ? files : ["-"], withOutput(options), signal);
      // `polybin` alone is hist without files.
      else if (parent?.args.length === 0)
        await parent.commands.find(isDemo)?.parseAsync([], { from: "user" });
      else throw new PolybinError("ERR_INPUT", "expected a FILE, or a pipe: cat FILE | polybin hist");
    });
  return withManual(command, {
    examples: [
      ["polybin hist photo.png", "a chart of every channel"],
      [
        "polybin hist column.f32 --type f32 --bins 100 --range -3,3",
        "32-bit floats in 100 bins from -3 to 3",
      ],
      [
        "polybin hist photo.png --percentiles 1,50,99",
        "where the darkest 1% ends, the median, the brightest 1%",
      ],
      [
        "polybin hist photo.png --channel grey --stats",
        "the moments of the grey values, and where to cut them",
      ],
      ["cat data.bin | polybin hist - --csv > counts.csv", "bytes from a pipe as a table"],
      ["polybin hist photo.png --by labels.png --json", "one histogram per label and channel"],
      ["polybin hist photo.png --channel g --tiles 64x64 --json", "one histogram per tile, as a matrix"],
      ["polybin hist trips.csv", "every column of a table"],
      ["polybin hist trips.csv --column fare --column paid", "two columns of a table"],
      ["polybin hist 2024-*.parquet --column fare", "a column of several tables, counted as one"],
      ["polybin hist trips/ --column fare --by year --csv", "of the tables in folders such as year=2024/"],
      ["polybin hist trips.csv --column fare --by city --json", "one histogram per value of another column"],
      [
        "polybin hist trips.csv --column fare --range 0,100 --shard 3/64 --out part3.json",
        "a part of the work, for polybin merge",
      ],
    ],
    notes: NOTES,
  });
}

const isDemo = (command: Command): boolean => command.name() === "demo";

const NOTES = [
  "Pictures: values are counted as the file stores them, with 8 or 16 bits, channel by channel. No colour profile, " +
    "gamma or rotation is applied. A palette stands for its colours. If a file has several pages or frames, the first " +
    "one is counted. Damaged pictures, archives, and files whose name promises another format are refused.",
  "Bins: bin i holds edges[i] <= x < edges[i+1]. The last bin of a range or of edges also holds its right edge.",
  "Percentiles: the P-th percentile is the smallest value that at least P percent of the samples do not exceed. Polybin " +
    "prints the bin that holds it, or the value if the bin holds only one. Samples below and above the bins take part; " +
    "NaN does not.",
  "Statistics: a number with bounds, such as 0.5 (0.4 to 0.6), holds for all samples that these bins can have. The " +
    "thresholds are those of scikit-image. Samples up to a threshold are the background.",
  "Groups and masks: a file has one code per sample, or per pixel of a picture. A grey picture must have the size of the " +
    "counted one. The groups are 0 to the largest code. If the bins span the range of the data, masked samples count.",
  "Tables: --column counts columns of CSV, TSV and the other formats of @polybin/columns, also packed with gzip or Zstandard. Strings are counted one by one, " +
    "booleans in two bins. Ends of a range may be dates (2024-01-31) and times. Nulls are reported apart. Several files must " +
    "all have the columns, with one type each.",
  "Shards: every shard needs the same options and the same range. Without --range and without statistics in the file, find " +
    "it first: --extent for every shard, polybin merge with --out, then --extent-from.",
  "Standard input: if the range is that of the data, as for floats without --range, all values are held in memory, 2 GiB " +
    "at most.",
  EXIT_CODES,
];
