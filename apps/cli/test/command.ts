import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

export const MAIN: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

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
    const env = { ...process.env, COLUMNS: "80", NO_COLOR: "1" };
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

/** `polybin hist … --json` on one thread unless told otherwise; it must succeed and say nothing on stderr. */
export async function hist(args: readonly string[], stdin?: Uint8Array): Promise<Printed> {
  const backend = args.includes("--backend") ? [] : ["--backend", "cpu", "--algorithm", "sequential"];
  const { code, stdout, stderr } = await polybin(["hist", ...args, ...backend, "--json"], stdin);
  if (code !== 0 || stderr !== "") throw new Error(`hist ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}

/** Runs the command, which must refuse: exit code 2, nothing on stdout, one line on stderr. */
export async function refused(
  args: readonly string[],
  code: string,
  says: RegExp,
  stdin?: Uint8Array,
): Promise<void> {
  const outcome = await polybin(args, stdin);
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
