import { Argument, type Command } from "commander";
import { newCommand, withManual } from "../options/index.ts";
import { SHELLS, type Usage } from "./usage.ts";

/** `polybin completions`. @param usage returns everything that a shell can complete */
export function completionsCommand(usage: () => Usage): Command {
  const shell = new Argument("<SHELL>", SHELLS.join(", "));
  shell.argChoices = [...SHELLS];
  const command = newCommand("completions")
    .allowExcessArguments(false)
    .description("Print a script that completes commands, options and their values in a shell.")
    .addArgument(shell)
    .action(async (name: string) => {
      const { completions } = await import("./completions.ts");
      await completions(name, usage());
    });
  return withManual(command, {
    examples: [
      ['eval "$(polybin completions bash)"', "in ~/.bashrc"],
      ['eval "$(polybin completions zsh)"', "in ~/.zshrc, after compinit"],
      ["polybin completions fish | source", "in ~/.config/fish/config.fish"],
    ],
  });
}
