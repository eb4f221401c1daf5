import { Command, Help, type HelpConfiguration, type Option } from "commander";
import { stdoutPage } from "../terminal/index.ts";

/** Help is no wider than this: longer lines are hard to read. */
const WIDEST = 100;
/** Descriptions with less room than this start below their term. */
const LEAST_ROOM = 36;
const INDENT = "  ";
/** As wide as the word before a usage. */
const USAGE = " ".repeat("Usage: ".length);

/** A line that a user can copy, and its effect. */
export type Example = readonly [line: string, does: string];

/** The help of a command below its options. */
export interface Manual {
  readonly examples: readonly Example[];
  /** Paragraphs. */
  readonly notes?: readonly string[];
}

const manuals = new WeakMap<Command, Manual>();

/** The examples and notes of a command. */
export function manualOf(command: Command): Manual {
  return manuals.get(command) ?? { examples: [] };
}

/** Adds examples and notes to the help of a command. */
export function withManual(command: Command, manual: Manual): Command {
  manuals.set(command, manual);
  return command.addHelpText("after", () => tail(manual, helpWidth()));
}

/** `--help`, as every command has it. */
export const HELP_OPTION = ["--help", "print this help"] as const;

/** A command with our help. Its errors are thrown, and main.ts prints them. */
export function newCommand(name: string): Command {
  return new Command(name)
    .configureHelp(HELP)
    .configureOutput({ outputError: () => {}, getOutHelpWidth: helpWidth })
    .helpOption(...HELP_OPTION)
    .exitOverride();
}

function helpWidth(): number {
  return Math.min(stdoutPage().width, WIDEST);
}

/** Breaks text at blanks. Words are never cut. */
function wrapped(text: string, width: number, indent = ""): string {
  const help = new Help();
  help.minWidthToWrap = 1;
  return help.boxWrap(text, width - indent.length).replaceAll(/^/gm, indent);
}

/** Breaks a line of a shell so that it stays one command. */
function continued(line: string, width: number): string {
  return wrapped(line, width - 2 * INDENT.length).replaceAll("\n", ` \\\n${INDENT.repeat(3)}`);
}

function tail({ examples, notes = [] }: Manual, width: number): string {
  const lines = examples.flatMap(([line, does]) => [
    wrapped(`# ${does}`, width, INDENT).replaceAll(/\n +/g, `\n${INDENT}# `),
    INDENT + continued(line, width - INDENT.length),
  ]);
  return [
    "",
    examples.length > 1 ? "Examples:" : "Example:",
    ...lines,
    ...notes.flatMap((note) => ["", wrapped(note, width)]),
  ].join("\n");
}

/** The description of an option with its default. It names the choices itself. */
function described({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${defaultValue})`;
}

/** A layout of help that fits narrow terminals, too. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 1,
  styleUsage: (usage) => wrapped(usage, helpWidth() - USAGE.length).replaceAll("\n", `\n${USAGE}`),
  optionDescription: described,
  subcommandTerm: (command) => command.name(),
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? WIDEST;
    const room = width - termWidth - 2 * INDENT.length;
    if (room < LEAST_ROOM) return `${INDENT}${term}\n${wrapped(description, width, INDENT.repeat(3))}`;
    const [first, ...rest] = wrapped(description, room).split("\n");
    const margin = " ".repeat(termWidth + 2 * INDENT.length);
    return [`${INDENT}${term.padEnd(termWidth)}${INDENT}${first}`, ...rest.map((line) => margin + line)].join(
      "\n",
    );
  },
};
