import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";
import { stdoutPage, write } from "../terminal/index.ts";

/** Programs of the checkout. Their peers and plotting libraries are not needed to count. */
const PROGRAMS = { bench: "dist/main.js", papers: "papers/main.ts" } as const;

/** Runs `polybin bench` or `polybin papers`: passes the arguments to a program, and ends as it does. @throws ERR_UNAVAILABLE */
export async function checkout(
  command: keyof typeof PROGRAMS,
  args: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(`../../../../benchmarks/${PROGRAMS[command]}`, import.meta.url);
  if (!existsSync(url)) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      `polybin ${command} needs a checkout of the source; there, npm start -- ${command} builds and runs it`,
    );
  }
  const isHelp = args.includes("--help");
  const child = spawn(process.execPath, [fileURLToPath(url), ...args], {
    stdio: ["inherit", isHelp ? "pipe" : "inherit", "inherit"],
  });
  // A terminal sends the signal to the child, too. The programs handle it once.
  signal.addEventListener("abort", () => child.kill("SIGINT"));
  const [[code], help] = await Promise.all([
    once(child, "close") as Promise<[number | null]>,
    child.stdout === null ? null : text(child.stdout),
  ]);
  if (help !== null) await writeFitted(help);
  // An interrupted command has its exit code already.
  process.exitCode ||= code ?? 1;
}

/** The programs lay their help out for 120 columns. */
async function writeFitted(help: string): Promise<void> {
  const { fitted } = await import("./fit.ts");
  await write(fitted(help, stdoutPage().width));
}
