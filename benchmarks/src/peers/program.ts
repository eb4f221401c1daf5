import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Runs a compiled program to its end, and calls `each` with every line that it prints. Ending this process ends it, too.
 * @returns why it failed; null if it did not
 */
export async function eachLine(
  program: string,
  args: readonly string[],
  each: (line: string) => void,
): Promise<string | null> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = once(child, "close");
  let errors = "";
  child.stderr.on("data", (text) => (errors += text));
  for await (const line of createInterface({ input: child.stdout })) each(line);
  const [code] = await ended;
  process.off("exit", kill);
  return code === 0 ? null : errors.trim() || `the program ended with ${code}`;
}
