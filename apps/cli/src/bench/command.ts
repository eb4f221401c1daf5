import type { Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";

/** `polybin bench`, whose options are the benchmarks' own. */
export function benchCommand(signal: AbortSignal): Command {
  const command = newCommand("bench")
    .description(
      "Measure every backend and peer that works here. It needs a checkout of the source; bench --help lists its options.",
    )
    .argument("[options...]", "options of the benchmarks")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: readonly string[]) => {
      const { checkout } = await import("./checkout.ts");
      await checkout("bench", args, signal);
    });
  return withManual(command, {
    examples: [["polybin bench --quick", "every backend and peer in about two minutes"]],
  });
}

/** `polybin papers`, whose options are the report's own. */
export function papersCommand(signal: AbortSignal): Command {
  const command = newCommand("papers")
    .description(
      "Write a report of the source papers' figures and tables next to polybin's. It needs a checkout of the source; " +
        "papers --help lists its options.",
    )
    .argument("[options...]", "options of the report")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args: readonly string[]) => {
      const { checkout } = await import("./checkout.ts");
      await checkout("papers", args, signal);
    });
  return withManual(command, {
    examples: [
      ["polybin papers --mode demo", "measure this CPU for two minutes, and report to papers-report"],
    ],
  });
}
