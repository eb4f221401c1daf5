import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";

export const MAIN: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** Where Node keeps what it compiled, so that the next process starts sooner. */
export const COMPILED: string = fileURLToPath(
  new URL("../../../node_modules/.polybin/compiled", import.meta.url),
);

/** What a run of the command left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `--json` prints. */
export interface Printed {
  readonly input: {
    readonly name: string;
    readonly kind: string;
    readonly type: string;
    readonly samples: number;
    readonly width: number | null;
    readonly height: number | null;
  };
  readonly backend: string;
  readonly algorithm: string;
  readonly plan: { readonly samples: number };
  readonly axis: { readonly type: string; readonly bins: number; readonly edges: readonly number[] };
  readonly channels: readonly {
    readonly name: string;
    readonly counts: readonly number[];
    readonly underflow: number;
    readonly overflow: number;
    readonly nan: number;
  }[];
  readonly timings: Readonly<Record<string, number>>;
}

/** Runs the built command, as a user does. */
export function polybin(args: readonly string[], stdin?: Uint8Array): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, COLUMNS: "80", NO_COLOR: "1", NODE_COMPILE_CACHE: COMPILED };
    const child = spawn(process.execPath, [MAIN, ...args], { env });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout.on("data", (chunk) => out!.push(chunk));
    child.stderr.on("data", (chunk) => err!.push(chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(stdin ?? "");
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out!).toString(), stderr: Buffer.concat(err!).toString() }),
    );
  });
}

let runs = 0;
let running: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command in this process, one run after the other, with what it prints and its exit code held back: for
 * the many inputs of a table, since a process takes ten times as long. What reads standard input gets a process. That
 * processes end `polybin` shows, by which some tests run every command, too.
 */
export function here(args: readonly string[], stdin?: Uint8Array, columns = 80): Promise<Outcome> {
  if (stdin !== undefined || args.includes("-")) return polybin(args, stdin);
  const run = running.then(() => inThisProcess(args, columns));
  running = run.catch(() => {});
  return run;
}

async function inThisProcess(args: readonly string[], columns: number): Promise<Outcome> {
  const { argv, env, exitCode, stdout, stderr } = process;
  const [out, err]: string[][] = [[], []];
  const keep = (text: string[]) =>
    ((chunk: Uint8Array | string, ...rest: unknown[]) => {
      text.push(Buffer.from(chunk as string).toString());
      (rest.at(-1) as (() => void) | undefined)?.();
      return true;
    }) as typeof stdout.write;
  const streams = [stdout, stderr].map((stream) => {
    return { stream, write: stream.write, listeners: stream.listeners("error") };
  });
  const signals = process.listenerCount("SIGINT");
  process.argv = [process.execPath, MAIN, ...args];
  process.env = { ...env, COLUMNS: String(columns), NO_COLOR: "1" };
  process.exitCode = undefined;
  stdout.write = keep(out!);
  stderr.write = keep(err!);
  try {
    // Its first module anew, the others as they are: it runs when it is imported.
    await import(`${pathToFileURL(MAIN)}?${runs++}`);
    return { code: Number(process.exitCode ?? 0), stdout: out!.join(""), stderr: err!.join("") };
  } finally {
    for (const { stream, write, listeners } of streams) {
      stream.write = write;
      for (const listener of stream.listeners("error")) {
        if (!listeners.includes(listener)) stream.off("error", listener as () => void);
      }
    }
    Object.assign(process, { argv, env, exitCode });
    expect(process.listenerCount("SIGINT"), "signals are given back").toBe(signals);
  }
}

/** What is said on stderr of an input without values. */
export const emptyWarning = (name: string): string =>
  `warning: ${name} is empty: there are no values to count\n`;

/** `polybin hist … --json` on one thread unless told otherwise; it must succeed and print no more on stderr than this. */
export async function hist(args: readonly string[], stdin?: Uint8Array, warning = ""): Promise<Printed> {
  const backend = args.includes("--backend") ? [] : ["--backend", "cpu", "--algorithm", "sequential"];
  const { code, stdout, stderr } = await here(["hist", ...args, ...backend, "--json"], stdin);
  if (code !== 0 || stderr !== warning)
    throw new Error(`hist ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}

/** Runs the command, which must refuse: exit code 2, nothing on stdout, one line on stderr. */
export async function refused(
  args: readonly string[],
  code: string,
  says: RegExp,
  stdin?: Uint8Array,
): Promise<void> {
  const outcome = await here(args, stdin);
  expect(outcome.stderr).toMatch(new RegExp(`^error\\[${code}\\]: [^\\n]+\\n$`));
  expect(outcome.stderr).toMatch(says);
  expect(outcome).toMatchObject({ code: 2, stdout: "" });
}

/** A folder that goes when the test ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "polybin-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file of these bytes that goes when the test ends. */
export function file(name: string, bytes: Uint8Array | string): string {
  const path = join(scratch(), name);
  writeFileSync(path, bytes);
  return path;
}

/** Reproducible bytes that are not uniform. */
export function noise(length: number, seed = 1): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) & (state >>> 20) & 0xff;
  });
}

/** How often each value occurs. */
export function tally(values: Iterable<number>, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) counts[value]! += 1;
  return counts;
}
