import type { Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";
import type { DashboardOptions } from "./dashboard.ts";

/** `polybin dashboard`. */
export function dashboardCommand(signal: AbortSignal): Command {
  const command = newCommand("dashboard")
    .allowExcessArguments(false)
    .description("Serve a page with the benchmarks and live histograms to this machine's browsers.")
    .option("--port <N>", "port to listen on; 0 takes any free port", "7177")
    .option("--open", "open the page in the browser")
    .action(async (options: DashboardOptions) => {
      const { dashboard } = await import("./dashboard.ts");
      await dashboard(options, signal);
    });
  return withManual(command, {
    examples: [["polybin dashboard --open", "serve the page until Ctrl+C, and open it"]],
    notes: [
      "The server accepts connections from this machine only. It counts the pictures that the page sends on every backend.",
    ],
  });
}
