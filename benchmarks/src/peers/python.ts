import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Runs a program of Python and passes on its lines, one after the other.
 * @returns why it failed, or null
 */
export async function pythonLines(
  args: readonly string[],
  use: (line: string) => Promise<void> | void,
): Promise<string | null> {
  const child = spawn("python3", args, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill();
  process.once("exit", kill);
  let errors = "";
  const ended = once(child, "close").then(
    ([code]) => (code === 0 ? null : errors.trim().split("\n").at(-1) || `ended with ${code}`),
    (error: Error) => error.message,
  );
  child.stderr.on("data", (text) => (errors += text));
  for await (const line of createInterface({ input: child.stdout })) await use(line);
  const reason = await ended;
  process.off("exit", kill);
  return reason;
}
