import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";

/** Programs of the checkout, with peers and plotting libraries that nobody installs who only counts. */
const PROGRAMS = { bench: "dist/main.js", papers: "papers/main.ts" } as const;

/** `polybin bench` and `polybin papers` hand their arguments to a program, and end as it does. @throws ERR_UNAVAILABLE */
export async function checkout(
  command: keyof typeof PROGRAMS,
  args: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(`../../../../benchmarks/${PROGRAMS[command]}`, import.meta.url);
  if (!existsSync(url)) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      `polybin ${command} is in the source only: in a checkout, npm start -- ${command} builds and runs it`,
    );
  }
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], { stdio: "inherit" });
  // A terminal has told it, too: the programs take ^C once, however often it comes.
  signal.addEventListener("abort", () => child.kill("SIGINT"));
  const [code] = (await once(child, "close")) as [number | null];
  // Of a command that was interrupted the code is known already.
  process.exitCode ||= code ?? 1;
}
