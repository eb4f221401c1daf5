import type { Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";

/** `polybin demo`. */
export function demoCommand(signal: AbortSignal): Command {
  const command = newCommand("demo")
    .allowExcessArguments(false)
    .description(
      "Count real bytes and a sample picture on every backend that works here, and compare the results.",
    )
    .action(async () => {
      const { demo } = await import("./demo.ts");
      await demo(signal);
    });
  return withManual(command, { examples: [["polybin demo", "charts, and the throughput of each backend"]] });
}
