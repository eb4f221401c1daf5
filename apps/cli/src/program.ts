import { existsSync, readFileSync } from "node:fs";
import { PolybinError } from "@polybin/core";
import { suggestion } from "@polybin/core/backend";
import type { Command } from "commander";
import { backendsCommand } from "./backends/index.ts";
import { benchCommand, papersCommand } from "./bench/index.ts";
import { clusterCommand } from "./cluster/index.ts";
import { completionsCommand, usageOf } from "./completions/index.ts";
import { dashboardCommand } from "./dashboard/index.ts";
import { demoCommand } from "./demo/index.ts";
import { histCommand } from "./hist/index.ts";
import { jointCommand } from "./joint/index.ts";
import { mergeCommand } from "./merge/index.ts";
import { newCommand, withManual } from "./options/index.ts";
import { compareCommand, profileCommand } from "./profile/index.ts";
import { toneCommand } from "./tone/index.ts";
import { weightedCommand } from "./weighted/index.ts";

/** The command line: a room per command has its options, and its code is loaded when it runs. */
export function program(signal: AbortSignal): Command {
  const root = newCommand("polybin")
    .description(
      "Count exact histograms of pictures, tables, files and streams. Without a command, polybin counts the files as hist " +
        "does, or standard input if it is a pipe. Without files, it runs demo.",
    )
    .usage("[options] FILE...\npolybin COMMAND [options]")
    .version(version(), "-V, --version", "print the version");
  withManual(root, {
    examples: [
      ["polybin photo.png", "a chart of every channel"],
      ["polybin trips.csv", "a chart of every column"],
      ["polybin trips.csv -c fare -b 20 -r 0,100", "one column in 20 bins"],
      ["cat trips.csv | polybin", "a table from a pipe"],
    ],
    notes: [
      "`polybin COMMAND --help`, or `polybin help COMMAND`, shows the options of a command and examples.",
    ],
  });
  const hist = histCommand(signal);
  const commands = [
    hist,
    jointCommand(signal),
    mergeCommand(signal),
    profileCommand(signal),
    compareCommand(signal),
    clusterCommand(signal),
    toneCommand(signal),
    weightedCommand(signal),
    backendsCommand(),
    benchCommand(signal),
    papersCommand(signal),
    dashboardCommand(signal),
    demoCommand(signal),
    completionsCommand(() => usageOf(root)),
    helpCommand(root),
  ];
  root.helpCommand(false);
  for (const command of commands) root.addCommand(command, { isDefault: command === hist });
  root.hook("preAction", (_, { args }) => checkFile(root, args));
  for (const command of [root, ...commands.flatMap((one) => [one, ...one.commands])]) refuseRepeated(command);
  return root;
}

/** A word that names no file in another folder and has no ending. */
const WORD = /^[a-z][a-z-]*$/i;

/**
 * Without a command, the first word is a file, unless it is a mistyped command.
 * @throws ERR_INPUT
 */
function checkFile(root: Command, files: readonly string[]): void {
  const [typed] = root.args;
  const [first] = files;
  if (typed === undefined || typed !== first || !WORD.test(first) || existsSync(first)) return;
  if (root.commands.some((command) => command.name() === typed)) return;
  throw unknownCommand(root, first, "a file or ");
}

function unknownCommand({ commands }: Command, name: string, file = ""): PolybinError {
  const names = commands.map((command) => command.name());
  const near = suggestion(name, names);
  return new PolybinError(
    "ERR_INPUT",
    `${near === null ? "" : `${near} `}expected ${file}one of the commands ${names.join(", ")} but received ${JSON.stringify(name)}; ` +
      "polybin --help describes them",
  );
}

/** `polybin help COMMAND`. */
function helpCommand(root: Command): Command {
  const command = newCommand("help")
    .description("Show the options of a command and examples.")
    .argument("[COMMAND...]", "a command, and a command below it")
    .action((names: readonly string[]) => {
      let shown = root;
      for (const name of names) {
        const below = shown.commands.find((one) => one.name() === name);
        if (below === undefined) throw unknownCommand(shown.commands.length > 0 ? shown : root, name);
        shown = below;
      }
      shown.outputHelp();
    });
  return withManual(command, { examples: [["polybin help hist", "the help of polybin hist"]] });
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
