import type { Usage, UsageOption, Value } from "./usage.ts";

/** Lines for fish. */
export function fish({ options, commands }: Usage): string {
  const lines = [
    "# Completions of polybin for fish: polybin completions fish | source",
    "complete -c polybin -f",
    "complete -c polybin -n __fish_use_subcommand -F",
    ...options.map((option) => line("__fish_use_subcommand", option)),
    ...commands.map(
      ({ name, description }) =>
        `complete -c polybin -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ),
    ...commands.flatMap(({ name, options, argument }) => {
      const here = quoted(`__fish_seen_subcommand_from ${name}`);
      return [
        ...options.map((option) => line(here, option)),
        ...(argument === null ? [] : [`complete -c polybin -n ${here}${words(argument)}`]),
      ];
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function line(condition: string, { long, description, value }: UsageOption): string {
  const takes = value === null ? "" : value === "file" ? " -r -F" : ` -x${words(value)}`;
  return `complete -c polybin -n ${condition} -l ${long.slice(2)} -d ${quoted(description)}${takes}`;
}

function words(value: Value): string {
  if (value === "file") return " -F";
  return value === "any" ? "" : ` -a ${quoted(value.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
