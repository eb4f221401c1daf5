import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * Runs a program and passes on its lines, one after the other. Ending this process ends it, too.
 * @returns why it failed, or null
 */
export async function eachLine(
  program: string,
  args: readonly string[],
  use: (line: string) => unknown,
): Promise<string | null> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill();
  process.once("exit", kill);
  let errors = "";
  const ended = once(child, "close").then(
    ([code]) => (code === 0 ? null : errors.trim().split("\n").at(-1) || `the program ended with ${code}`),
    (error: Error) => error.message,
  );
  child.stderr.on("data", (text) => (errors += text));
  for await (const line of createInterface({ input: child.stdout })) await use(line);
  const reason = await ended;
  process.off("exit", kill);
  return reason;
}

/** Runs a program to its end. @throws an Error of one line if it fails */
export function runOnce(command: string, args: readonly string[], timeout: number): void {
  try {
    execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], timeout, killSignal: "SIGKILL" });
  } catch (error) {
    const { code, message, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    const last = stderr?.toString().trim().split("\n").at(-1) || message.split("\n")[0];
    throw new Error(code === "ETIMEDOUT" ? `no answer in ${timeout / 1000} s` : last);
  }
}

/** A program and its arguments. @throws an Error of one line if the program is not available */
type Command = () => readonly [program: string, ...args: string[]];

/**
 * Runs a program whose lines are JSON. Reports why the program or one of its cells, `{ missing }`, is missing.
 * @param what the name in reports
 */
export async function jsonLines<Line extends object>(
  report: { miss(what: string): void },
  what: string,
  command: Command,
  use: (line: Line) => unknown,
): Promise<void> {
  let lines = 0;
  try {
    const [program, ...args] = command();
    const failure = await eachLine(program, args, (text) => {
      lines++;
      const line = JSON.parse(text) as Line | { readonly missing: string };
      return "missing" in line ? report.miss(line.missing) : use(line);
    });
    if (failure !== null) throw new Error(failure);
  } catch (error) {
    report.miss(`${what}${lines === 0 ? "" : ", cells after the last row"}: ${(error as Error).message}`);
  }
}

/** Returns the command of a script of peers/ in Python: next to the program in a bundle, or in the checkout. */
export function python(script: string, ...args: readonly string[]): readonly [string, ...string[]] {
  const places = [script, `../../peers/${script}`].map((path) => new URL(path, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new Error(`expected ${script} but it does not exist; npm run gpu:bundle packs it`);
  return ["python3", fileURLToPath(found), ...args];
}
