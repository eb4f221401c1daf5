import type { Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";

/** `polybin backends`. */
export function backendsCommand(): Command {
  const command = newCommand("backends")
    .allowExcessArguments(false)
    .description("List every backend and whether it works on this machine.")
    .option("-v, --verbose", "also list the algorithms, and say what helps if a backend does not work")
    .option("--json", "print JSON")
    .action(async (options: { readonly json?: boolean; readonly verbose?: boolean }) => {
      const { backends } = await import("./backends.ts");
      await backends(options);
    });
  return withManual(command, {
    examples: [
      ["polybin backends", "what works here"],
      ["polybin backends --verbose", "the algorithms, and what helps if a backend does not work"],
    ],
  });
}
