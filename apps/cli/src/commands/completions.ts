import { bash } from "../completions/bash.ts";
import { fish } from "../completions/fish.ts";
import { SHELLS, type Shell, type Usage } from "../completions/usage.ts";
import { zsh } from "../completions/zsh.ts";
import { write } from "../output/write.ts";
import { oneOf } from "../request.ts";

/** `polybin completions SHELL`: prints a script. @throws ERR_INPUT for any other shell */
export async function completions(shell: string, usage: Usage): Promise<void> {
  const scripts: Readonly<Record<Shell, (usage: Usage) => string>> = { bash, zsh, fish };
  await write(scripts[oneOf(shell, SHELLS, "SHELL")](usage));
}
