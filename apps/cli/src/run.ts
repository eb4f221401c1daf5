import { printable } from "./base/index.ts";
import { program } from "./program.ts";
import { exitCodeOf, interruptible, lineOf } from "./terminal/index.ts";

/** Runs the command that the arguments of this process name, and sets its exit code. */
export async function run(): Promise<void> {
  // A reader that closes the pipe early (`| head`) is no failure. A full disk is one.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`${lineOf(error)}\n`, () => process.exit(1));
  });
  // Nobody reads the messages. The exit code still says how the command ended.
  process.stderr.on("error", () => {});

  const interrupt = interruptible();
  try {
    await program(interrupt.signal).parseAsync();
  } catch (error) {
    process.exitCode = interrupt.exitCode ?? exitCodeOf(error);
    if (interrupt.exitCode === null) {
      const line = lineOf(error);
      if (line !== null) process.stderr.write(`${line}\n`);
      if (process.env.POLYBIN_DEBUG && error instanceof Error) {
        const frames = String(error.stack).split("\n").map(printable);
        process.stderr.write(`${frames.join("\n")}\n`);
      }
    }
  } finally {
    interrupt.done();
  }
}
