import { algorithms, limits } from "@polybin/core/backend";
import { type Command, Option } from "commander";
import { BACKEND_IDS } from "../backends.ts";
import { SCALES } from "../view.ts";

/**
 * An option whose values shells complete. Commander does not check them: the command's own errors have a code and say
 * more.
 */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...values];
  return option;
}

/** `--backend`, which every counting command has. */
export function backendOption(auto: string): Option {
  const ids = BACKEND_IDS.join(", ");
  return choice("--backend <ID>", `backend: ${ids}, or auto, which takes ${auto}`, [
    "auto",
    ...BACKEND_IDS,
  ]).default("auto");
}

/** `--algorithm`, for commands that count. */
export function algorithmOption(): Option {
  return choice("--algorithm <SLUG>", "algorithm: auto, or one that `polybin backends` lists", [
    "auto",
    ...Object.keys(algorithms),
  ]).default("auto");
}

/** `--threads`, for the backends that have threads. */
export function threadsOption(): Option {
  const most = `1 to ${limits.MAX_THREADS}`;
  return new Option(
    "--threads <N>",
    `worker threads of piscina and cpu, ${most} (default: as many as the machine runs at once)`,
  );
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

/** Adds a value to those of an option that is given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A note for every counting command. */
export const EXIT_CODES =
  "Exit code: 0 on success, 2 for wrong use or wrong input, 1 for any other failure, 130 after Ctrl+C.";
