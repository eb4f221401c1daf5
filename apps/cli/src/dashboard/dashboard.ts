import { spawn } from "node:child_process";
import { serveDashboard } from "@polybin/dashboard";
import { parseWhole } from "../base/index.ts";
import { BACKEND_IDS, backendOf, listBackends } from "../engine/index.ts";
import { write } from "../terminal/index.ts";

export interface DashboardOptions {
  readonly port: string;
  readonly open?: boolean;
}

const MOST_PORT = 65_535;

/** The program that opens an address in the user's browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** `polybin dashboard`: serves the page until it is stopped. */
export async function dashboard({ port, open }: DashboardOptions, signal: AbortSignal): Promise<void> {
  const number = parseWhole(port, "--port", 0, MOST_PORT);
  const backends = { ids: BACKEND_IDS, load: backendOf, list: listBackends };
  await using served = await serveDashboard({ backends, port: number });
  await write(`${served.origin}\n`);
  if (process.stderr.isTTY) process.stderr.write("Press Ctrl+C to stop the server.\n");
  if (open) openInBrowser(served.origin);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Opens the browser. A machine without one is no failure, since the address was printed. */
function openInBrowser(origin: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, origin], { stdio: "ignore", detached: true });
  child.on("error", (error) => {
    process.stderr.write(`warning: the browser did not open: ${error.message}\n`);
  });
  child.unref();
}
