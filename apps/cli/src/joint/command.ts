import { limits, SAMPLE_TYPES } from "@polybin/core/backend";
import type { Command } from "commander";
import {
  algorithmOption,
  backendOption,
  choice,
  EXIT_CODES,
  HELP_OPTION,
  maskOption,
  newCommand,
  outputOption,
  pictureOptions,
  readingOptions,
  SCALES,
  shardOptions,
  threadsOption,
  withManual,
  withOutput,
} from "../options/index.ts";
import { type JointOptions, SINGLE_CHANNELS } from "./request.ts";

/** `polybin joint`: its options and its help. */
export function jointCommand(signal: AbortSignal): Command {
  const command = newCommand("joint");
  command
    .allowExcessArguments(false)
    .description(
      "Count how often the values of two pictures, channels, files or columns of a table occur together.",
    )
    .argument(
      "<A>",
      "a picture, known by its first bytes, a table, or any other file, or - for standard input",
    )
    .argument(
      "[B...]",
      "the second one, of the same size; without it, --channels names two channels of A. With --columns, more tables, " +
        "which are counted as one with A",
    )
    .optionsGroup("Input:")
    .addOption(
      choice(
        "--channels <NAME,NAME>",
        `the channel of each picture, or one name for both: ${SINGLE_CHANNELS.join(", ")} (default: grey)`,
        SINGLE_CHANNELS,
      ),
    )
    .addOption(
      choice(
        "--type <TYPE>",
        `type of the little-endian values in files that are not pictures, or one for each file, such as u8,f32: ` +
          `${SAMPLE_TYPES.join(", ")} (default: u8)`,
        SAMPLE_TYPES,
      ),
    )
    .option("-c, --columns <NAME,NAME>", "two columns of the table A, or of all tables");
  maskOption(pictureOptions(command));
  readingOptions(command)
    .optionsGroup("Bins:")
    .option("-b, --bins <N[,M]>", `number of bins of A and B, 1 to ${limits.MAX_BINS} (default: 256)`)
    .addOption(
      choice(
        "-r, --range <LO,HI[,LO,HI]|data|type>",
        "range of the bins: two numbers for both, or two for each; data, from the smallest to the largest value; or " +
          "type, all values of the type (default: type for 8 and 16 bits, data for all others)",
        ["data", "type"],
      ),
    )
    .optionsGroup("Output:")
    .option("--json", "print one JSON object in place of a heat map")
    .addOption(
      choice(
        "--scale <SCALE>",
        "scale of the counts in heat maps: linear or log (default: log if linear would flatten most cells)",
        SCALES,
      ),
    )
    .option("--svg <FILE>", "also draw a heat map as SVG")
    .option("--png <FILE>", "also draw a heat map as PNG")
    .addOption(outputOption("svg", "png"))
    .optionsGroup("Shards of a table:");
  shardOptions(command, "ranges")
    .optionsGroup("Backend:")
    .addOption(
      backendOption(
        "compiled kernels for small inputs, else the first of cuda, webgpu, native and piscina that works here",
      ),
    )
    .addOption(algorithmOption())
    .addOption(threadsOption())
    .optionsGroup("Help:")
    .helpOption(...HELP_OPTION)
    .action(async (a: string, others: readonly string[], options: JointOptions) => {
      const { joint } = await import("./joint.ts");
      await joint([a, ...others], withOutput(options), signal);
    });
  return withManual(command, {
    examples: [
      ["polybin joint before.png after.png", "a heat map of the grey values of two pictures"],
      ["polybin joint photo.png --channels r,g --svg plot.svg", "two channels of one picture"],
      [
        "polybin joint x.f32 y.f32 --type f32 --bins 100,50 --range -3,3,0,1",
        "32-bit floats in 100 x 50 bins",
      ],
      ["polybin joint a.bin b.bin --bins 16 --json", "the counts, row by row"],
      ["polybin joint trips.csv --columns distance,fare --bins 64", "two columns of a table"],
    ],
    notes: NOTES,
  });
}

const NOTES = [
  "Axes: A goes to the right and B upwards. Bin i holds edges[i] <= x < edges[i+1]. The last bin of a range also holds " +
    "its right edge. Samples outside the bins of A or B are counted together as flow.",
  "Mutual information: the number of bits that the bin of one value says about the other. The normalized form is " +
    "(H(A) + H(B)) / H(A, B), from 1 for independent values to 2 for values that determine each other.",
  "JSON: counts are row-major, with the bins of B as the fastest. input has one object for each of A and B.",
  "Memory: all values are held in memory, 2 GiB at most for each file.",
  EXIT_CODES,
];
