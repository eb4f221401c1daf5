import { readFileSync } from "node:fs";
import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { Command } from "commander";
import type { DashboardOptions } from "./commands/dashboard.ts";
import type { HistOptions } from "./request.ts";
import type { WeightedOptions } from "./weighted-request.ts";

/** The command line: what there is to say, and which file does it. Each command is loaded when it runs. */
export function program(signal: AbortSignal): Command {
  const root = new Command("polybin")
    .description(
      "Exact histograms of pictures and files, and weighted ones of features. Without a command: a demonstration on every backend here.",
    )
    .version(version(), "--version")
    .helpOption("--help", "say how this is used")
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    // Else a mistyped command would be called an excess argument.
    .allowExcessArguments()
    .action(async (_options: unknown, { args }: Command) => {
      if (args.length > 0) {
        throw new PolybinError(
          "ERR_INPUT",
          `expected the command hist, weighted, backends, bench, papers or dashboard but received ${JSON.stringify(args[0])}; --help says more`,
        );
      }
      const { demo } = await import("./commands/demo.ts");
      await demo(signal);
    });

  root
    .command("hist")
    .allowExcessArguments(false)
    .description("count the values of a picture's channels, or of a file's bytes")
    .argument("<FILE>", "a picture, known by its first bytes, or any other file; - reads standard input")
    .option("--type <TYPE>", "little-endian values: u8 i8 u16 i16 u32 i32 f32 f64 (default: u8)")
    .option("--raw", "count any file's bytes as they are, also a picture's or an archive's")
    .option(
      "--lenient",
      "count what can be decoded of a damaged picture, with a warning, instead of refusing it",
    )
    .option("--bins <N>", "number of bins (default: 256; 65536 for 16-bit pictures over all their values)")
    .option(
      "--range <LO,HI|data|type>",
      "from where to where; data: the values' own range; type: all values of the type (default: type for 8 and 16 bits, data for all else)",
    )
    .option("--edges <A,B,C>", "ascending edges of the bins, instead of --bins and --range")
    .option("--channel <NAME>", "r g b a, c m y k, grey (Rec. 601 luma of a colour picture) or all", "all")
    .option(
      "--backend <ID>",
      "cpu piscina webgpu cuda, or auto: one thread for what is soon done, else the first of cuda, webgpu, piscina",
      "auto",
    )
    .option("--algorithm <SLUG>", "auto, or one of those that `polybin backends` lists", "auto")
    .option("--k <K>", "trish: words a thread bins before its rows are summed, 1 to 63")
    .option(
      "--threads <N>",
      `worker threads, 1 to ${limits.MAX_THREADS} (default: as many as the machine runs at once)`,
    )
    .option("--every <N>", "a histogram for each N samples, one behind the other (with --json or --csv)")
    .option("--tiles <WxH>", "a histogram for each tile of a picture's channel (with --json or --csv)")
    .option(
      "--explain",
      "count nothing, and print how it would be counted: the plan and the device's part of it",
    )
    .option("--json", "print one JSON object instead of a chart")
    .option("--csv", "print bin,lo,hi,count lines instead of a chart")
    .option("--svg <FILE>", "also draw a plot")
    .option("--png <FILE>", "also draw a plot")
    .addHelpText("after", HELP)
    .action(async (file: string, options: HistOptions) => {
      const { hist } = await import("./commands/hist.ts");
      await hist(file, options, signal);
    });

  root
    .command("weighted")
    .allowExcessArguments(false)
    .description("add up weights over the bins of every feature of a LIBSVM file")
    .argument("<FILE>", "text, a document a line: label [qid:n] index:value …; - reads standard input")
    .requiredOption(
      "--bins <N>",
      "cut each feature into at most N bins of about as many documents, 2 to 65536",
    )
    .option("--weights <FILE>", "the documents' weights, one a line (default: their labels)")
    .option("--squares", "also add up the squares of the weights (--json prints them)")
    .option("--precision <P>", "reproducible (the same bits everywhere) or fast", "reproducible")
    .option("--limbs <N>", "1, or 2: sums up to 2^20 times finer, for about twice the time (default: 1)")
    .option("--backend <ID>", "cpu piscina webgpu cuda, or auto: the first of cuda, webgpu, piscina", "auto")
    .option("--algorithm <SLUG>", "auto, or a weighted one of `polybin backends`", "auto")
    .option(
      "--threads <N>",
      `worker threads, 1 to ${limits.MAX_THREADS} (default: as many as the machine runs at once)`,
    )
    .option("--json", "print one JSON object instead of a table")
    .addHelpText("after", WEIGHTED_HELP)
    .action(async (file: string, options: WeightedOptions) => {
      const { weighted } = await import("./commands/weighted.ts");
      await weighted(file, options, signal);
    });

  root
    .command("backends")
    .allowExcessArguments(false)
    .description("list the backends, whether each works here, and what it can do")
    .option("--json", "print JSON")
    .action(async (options: { readonly json?: boolean }) => {
      const { backends } = await import("./commands/backends.ts");
      await backends(options);
    });

  root
    .command("bench")
    .description("measure every backend and peer that works here (in a checkout); bench --help says more")
    .argument("[options...]", "of the benchmarks")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: readonly string[]) => {
      const { checkout } = await import("./commands/checkout.ts");
      await checkout("bench", args, signal);
    });

  root
    .command("papers")
    .description("the source papers' figures and tables beside ours (in a checkout); papers --help says more")
    .argument("[options...]", "of the report")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: readonly string[]) => {
      const { checkout } = await import("./commands/checkout.ts");
      await checkout("papers", args, signal);
    });

  root
    .command("dashboard")
    .allowExcessArguments(false)
    .description(
      "serve the benchmarks' page on this machine alone, and count pictures for it on every backend",
    )
    .option("--port <N>", "where to listen; 0 takes any free port", "7177")
    .option("--open", "open it in the browser")
    .action(async (options: DashboardOptions) => {
      const { dashboard } = await import("./commands/dashboard.ts");
      await dashboard(options, signal);
    });
  for (const command of [root, ...root.commands]) refuseRepeated(command);
  return root;
}

/** Of an option that is given twice, one value would be lost in silence. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new PolybinError("ERR_INPUT", `expected ${option.long} once but received it again`);
      given = true;
    });
  }
}

const HELP = `
Pictures are counted as they are stored, 8 or 16 bits a sample, channel by channel: no colour profile, gamma
or rotation is applied. Palettes stand for their colours; of several pages or frames the first is taken.
Damaged pictures, archives and files like NPY, and names that promise what the file is not, are refused.
Bin i holds edges[i] <= x < edges[i+1]; the last bin of a range or of edges also holds its right edge.
From standard input, values whose range is that of the data (floats and 32-bit integers without --range) are held in
memory, 2 GiB at most.

Exit code: 0, or 2 for wrong use or input, or 1 when it failed.`;

const WEIGHTED_HELP = `
Values that a line does not name are 0. Bins are cut by the quantiles of all documents: equal values share a bin, so
a feature with fewer different values has fewer bins, and a frequent value costs the others none. Bin i holds
edges[i] <= x < edges[i+1], the last bin its right edge, too, as numpy.histogram(values, edges, weights=weights).
The table lists the features whose best split explains most of the weights' variance.

Exit code: 0, or 2 for wrong use or input, or 1 when it failed.`;

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
