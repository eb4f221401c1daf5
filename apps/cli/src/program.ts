import { readFileSync } from "node:fs";
import { PolybinError } from "@polybin/core";
import type { Command } from "commander";
import { backendsCommand } from "./backends/index.ts";
import { benchCommand, papersCommand } from "./bench/index.ts";
import { clusterCommand } from "./cluster/index.ts";
import { completionsCommand, usageOf } from "./completions/index.ts";
import { dashboardCommand } from "./dashboard/index.ts";
import { histCommand } from "./hist/index.ts";
import { jointCommand } from "./joint/index.ts";
import { mergeCommand } from "./merge/index.ts";
import { newCommand, withManual } from "./options/index.ts";
import { profileCommand } from "./profile/index.ts";
import { toneCommand } from "./tone/index.ts";
import { weightedCommand } from "./weighted/index.ts";

/** The command line: a room per command has its options, and its code is loaded when it runs. */
export function program(signal: AbortSignal): Command {
  const root = newCommand("polybin")
    .description(
      "Count exact histograms of pictures, files and streams. Without a command, polybin runs a demonstration on every " +
        "backend that works here.",
    )
    .version(version(), "--version", "print the version")
    // Otherwise a mistyped command would be called an excess argument.
    .allowExcessArguments()
    .action(async (_options: unknown, { args }: Command) => {
      if (args.length > 0) throw unknownCommand(root, args[0]!);
      const { demo } = await import("./demo/index.ts");
      await demo(signal);
    });
  withManual(root, {
    examples: [["polybin hist photo.png", "a chart of every channel"]],
    notes: ["`polybin COMMAND --help` shows the options of a command and examples."],
  });
  const commands = [
    histCommand(signal),
    jointCommand(signal),
    mergeCommand(signal),
    profileCommand(signal),
    clusterCommand(signal),
    toneCommand(signal),
    weightedCommand(signal),
    backendsCommand(),
    benchCommand(signal),
    papersCommand(signal),
    dashboardCommand(signal),
    completionsCommand(() => usageOf(root)),
  ];
  root.helpCommand(false);
  for (const command of commands) root.addCommand(command);
  for (const command of [root, ...commands.flatMap((one) => [one, ...one.commands])]) refuseRepeated(command);
  return root;
}

function unknownCommand({ commands }: Command, name: string): PolybinError {
  const names = commands.map((command) => command.name()).join(", ");
  return new PolybinError(
    "ERR_INPUT",
    `expected one of the commands ${names} but received ${JSON.stringify(name)}; polybin --help describes them`,
  );
}

/** Refuses an option that is given twice, because one of its values would be ignored. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    // The values of such an option are collected.
    if (option.parseArg !== undefined) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new PolybinError("ERR_INPUT", `expected ${option.long} once but received it again`);
      given = true;
    });
  }
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
