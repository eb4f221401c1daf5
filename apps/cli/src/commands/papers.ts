import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PolybinError } from "@polybin/core";

/** A program of the checkout, as its benchmarks are. */
const PROGRAM: string = fileURLToPath(new URL("../../../../benchmarks/papers/main.ts", import.meta.url));

/** `polybin papers`: hands its arguments to the checkout's program, and ends as it does. @throws ERR_UNAVAILABLE */
export async function papers(args: readonly string[], signal: AbortSignal): Promise<void> {
  if (!existsSync(PROGRAM)) {
    throw new PolybinError(
      "ERR_UNAVAILABLE",
      "the papers' figures are in the source only: in a checkout, npm start -- papers measures and draws them",
    );
  }
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: "inherit" });
  signal.addEventListener("abort", () => child.kill("SIGINT"));
  const [code] = (await once(child, "close")) as [number | null];
  // Of a command that was interrupted the code is known already.
  process.exitCode ||= code ?? 1;
}
