import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";

/** The benchmarks are a program of the checkout, with peers that nobody installs who only counts. */
const PROGRAM: string = fileURLToPath(new URL("../../../../benchmarks/dist/main.js", import.meta.url));

/** `polybin bench`: hands its arguments to the checkout's benchmarks, and ends as they do. @throws ERR_UNAVAILABLE */
export async function bench(args: readonly string[], signal: AbortSignal): Promise<void> {
  if (!existsSync(PROGRAM)) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "the benchmarks are in the source only: in a checkout, npm start -- bench builds and runs them",
    );
  }
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: "inherit" });
  signal.addEventListener("abort", () => child.kill("SIGINT"));
  const [code] = (await once(child, "close")) as [number | null];
  // Of a command that was interrupted the code is known already.
  process.exitCode ||= code ?? 1;
}
