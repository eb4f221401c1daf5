import type { Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";

/** `polybin backends`. */
export function backendsCommand(): Command {
  const command = newCommand("backends")
    .allowExcessArguments(false)
    .description("List every backend, whether it works on this machine, and its algorithms.")
    .option("--json", "print JSON")
    .action(async (options: { readonly json?: boolean }) => {
      const { backends } = await import("./backends.ts");
      await backends(options);
    });
  return withManual(command, { examples: [["polybin backends", "what works here, and if not, why"]] });
}
