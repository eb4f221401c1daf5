import type { Command, Option } from "commander";

/** The shells that `polybin completions` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The value of an option or an argument: a file, one of some words, or something that only the user knows. */
export type Value = "file" | "any" | readonly string[];

export interface UsageOption {
  /** `--json`. */
  readonly long: string;
  readonly description: string;
  /** Null: the option takes no value. */
  readonly value: Value | null;
}

export interface UsageCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly UsageOption[];
  /** Null: the command takes no argument. */
  readonly argument: Value | null;
}

/** Everything that a shell can complete. */
export interface Usage {
  readonly options: readonly UsageOption[];
  readonly commands: readonly UsageCommand[];
}

/** Reads it from the tables that also make the help. */
export function usageOf(root: Command): Usage {
  return {
    options: optionsOf(root),
    commands: root.commands.map((command) => ({
      name: command.name(),
      description: brief(command.description()),
      options: optionsBelow(command),
      argument: argumentOf(command),
    })),
  };
}

/** A description without its details, since a shell has half a line for it. */
function brief(description: string): string {
  return description.split(/ \(|[;:.] |\.$/)[0]!;
}

function optionsOf(command: Command): UsageOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      long: option.long!,
      description: brief(option.description),
      value: option.required ? valueAfter(option.flags, option.argChoices) : null,
    }));
}

/** The options of a command and of the commands below it, each once. */
function optionsBelow(command: Command): UsageOption[] {
  const all = [command, ...command.commands].flatMap(optionsOf);
  return all.filter(({ long }, i) => all.findIndex((other) => other.long === long) === i);
}

function argumentOf({ registeredArguments: [first], commands }: Command): Value | null {
  if (commands.length > 0) return commands.map((command) => command.name());
  if (first === undefined) return null;
  return valueAfter(`<${first.name()}>`, first.argChoices);
}

function valueAfter(flags: string, choices: Option["argChoices"]): Value {
  return choices ?? (flags.endsWith("<FILE>") ? "file" : "any");
}
