import type { Command } from "commander";
import type { DashboardOptions } from "../commands/dashboard.ts";
import { newCommand, withManual } from "./help.ts";

/** `polybin backends`. */
export function backendsCommand(): Command {
  const command = newCommand("backends")
    .allowExcessArguments(false)
    .description("List every backend, whether it works on this machine, and its algorithms.")
    .option("--json", "print JSON")
    .action(async (options: { readonly json?: boolean }) => {
      const { backends } = await import("../commands/backends.ts");
      await backends(options);
    });
  return withManual(command, { examples: [["polybin backends", "what works here, and if not, why"]] });
}

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
      const { checkout } = await import("../commands/checkout.ts");
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
      const { checkout } = await import("../commands/checkout.ts");
      await checkout("papers", args, signal);
    });
  return withManual(command, {
    examples: [["polybin papers --quick", "measure with less data, and write the report to papers-report"]],
  });
}

/** `polybin dashboard`. */
export function dashboardCommand(signal: AbortSignal): Command {
  const command = newCommand("dashboard")
    .allowExcessArguments(false)
    .description("Serve a page with the benchmarks and live histograms to this machine's browsers.")
    .option("--port <N>", "port to listen on; 0 takes any free port", "7177")
    .option("--open", "open the page in the browser")
    .action(async (options: DashboardOptions) => {
      const { dashboard } = await import("../commands/dashboard.ts");
      await dashboard(options, signal);
    });
  return withManual(command, {
    examples: [["polybin dashboard --open", "serve the page until Ctrl+C, and open it"]],
    notes: [
      "The server accepts connections from this machine only. It counts the pictures that the page sends on every backend.",
    ],
  });
}
