import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { MAIN, noise, scratch } from "./command.ts";

beforeEach(({ skip }) => {
  if (!existsSync("/proc/self/fd")) skip("named pipes are looked at through /proc, which is not here");
});

function namedPipe(): string {
  const path = join(scratch(), "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

/** Waits until a process has opened a file: by then it listens for signals, too. */
async function opened({ pid }: ChildProcess, path: string): Promise<void> {
  const folder = `/proc/${pid}/fd`;
  const target = (fd: string) => {
    try {
      return readlinkSync(join(folder, fd));
    } catch {
      return null;
    }
  };
  while (!readdirSync(folder).some((fd) => target(fd) === path)) await sleep(20);
}

test.for([
  ["hist", ["--backend", "cpu"], "SIGINT", 130],
  ["hist", ["--backend", "piscina"], "SIGTERM", 143],
  ["weighted", ["--bins", "4", "--backend", "cpu"], "SIGINT", 130],
] as const)(
  "%s %j of a named pipe without a writer ends by one %s",
  async ([command, args, signal, code]) => {
    const path = namedPipe();
    const child = spawn(process.execPath, [MAIN, command, path, ...args], { stdio: "pipe" });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    const closed = once(child, "close");
    await opened(child, path);
    child.kill(signal);
    expect({ ended: await closed, said: Buffer.concat(said).toString() }).toEqual({
      ended: [code, null],
      said: "",
    });
  },
);

test("a named pipe is read once somebody writes to it", async () => {
  const path = namedPipe();
  const child = spawn(process.execPath, [MAIN, "hist", path, "--backend", "cpu", "--json"], {
    stdio: "pipe",
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk) => said.push(chunk));
  const closed = once(child, "close");
  createWriteStream(path).end(noise(200_000));
  expect(await closed).toEqual([0, null]);
  expect(JSON.parse(Buffer.concat(said).toString()).input).toMatchObject({ name: "pipe", samples: 200_000 });
});

test.for([1, 2])("work that nothing can stop is ended by %i signals", async (signals) => {
  // A thread that waits for the writer of a named pipe, to which Node would wait on its way out.
  const program = `
    import { open } from "node:fs";
    import { interruptible } from ${JSON.stringify(new URL("../src/terminal/interrupt.ts", import.meta.url).href)};
    interruptible().signal.addEventListener("abort", () => console.log("aborted"));
    open(${JSON.stringify(namedPipe())}, "r", () => {});
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" });
  const closed = once(child, "close");
  for (let i = 0; i < signals; i++) {
    await once(child.stdout, "data");
    child.kill("SIGINT");
  }
  // As a program that does not listen: a shell says 130.
  expect(await closed).toEqual([null, "SIGINT"]);
});
