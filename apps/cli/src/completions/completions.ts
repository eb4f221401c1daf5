import { oneOf } from "../options/index.ts";
import { write } from "../terminal/index.ts";
import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import { SHELLS, type Shell, type Usage } from "./usage.ts";
import { zsh } from "./zsh.ts";

/** `polybin completions SHELL`: prints a script. @throws ERR_INPUT for any other shell */
export async function completions(shell: string, usage: Usage): Promise<void> {
  const scripts: Readonly<Record<Shell, (usage: Usage) => string>> = { bash, zsh, fish };
  await write(scripts[oneOf(shell, SHELLS, "SHELL")](usage));
}
