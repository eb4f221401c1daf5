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
  return command.addHelpText("after", () =>
    tail(isShort(command) ? shortened(command, manual) : manual, helpWidth()),
  );
}

/** `-h` and `--help`, as every command has them. */
export const HELP_OPTION = ["-h, --help", "print this help; -h prints the most common options only"] as const;

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

/** The most examples of `-h`. */
const FEW_EXAMPLES = 3;

/** Whether the user typed `-h`. */
function isShort(command: Command): boolean {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs = [] } = root as Command & { readonly rawArgs?: readonly string[] };
  return rawArgs.includes("-h") && !rawArgs.includes("--help");
}

/** Options that `-h` shows. Those with a letter of their own are common, too. */
const COMMON: ReadonlySet<string> = new Set([
  "--json",
  "--csv",
  "--stats",
  "--raw",
  "--by",
  "--html",
  "--svg",
  "--png",
]);
/** Commands with few options show them all. */
const FEW_OPTIONS = 8;

function commonOptions(command: Command): Option[] {
  const all = Help.prototype.visibleOptions.call(command.createHelp(), command);
  if (!isShort(command) || all.length <= FEW_OPTIONS) return all;
  return all.filter(({ short, long }) => short !== undefined || COMMON.has(long ?? ""));
}

function shortened(command: Command, { examples }: Manual): Manual {
  const name = command.parent === null ? "polybin" : `polybin ${command.name()}`;
  return {
    examples: examples.slice(0, FEW_EXAMPLES),
    notes: [`\`${name} --help\` shows every option and more examples.`],
  };
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
  visibleOptions: commonOptions,
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
