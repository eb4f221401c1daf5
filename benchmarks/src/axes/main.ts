import { readFileSync, writeFileSync } from "node:fs";
import { compare, comparisonText } from "../compare.ts";
import type { Results } from "../result.ts";
import { softwareGpu } from "../swiftshader.ts";
import { type BenchOptions, parseOptions, USAGE, WrongUse } from "./options.ts";
import { runAxes } from "./run.ts";
import { textOf } from "./table.ts";

/** `polybin bench`: measures, prints, compares. Sets the process's exit code. */
export async function bench(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  // Read first: who names a file that is not there need not wait to be told so.
  const old = options.compare === null ? null : read(options.compare);
  const results = options.with === null ? await measured(options) : read(options.with);
  if (old !== null) report(old, results, options);
}

async function measured(options: BenchOptions): Promise<Results> {
  const env = options.backends.includes("webgpu") ? await softwareGpu() : null;
  if (env !== null && process.execve) {
    // The loader of libraries read its environment when this process started: it starts anew, as the same process.
    process.execve(process.execPath, [process.execPath, ...process.argv.slice(1)], {
      ...process.env,
      ...env,
    });
  }
  const { results, file } = await runAxes(options);
  const text = options.print ? `${JSON.stringify(results)}\n` : `${textOf(results)}${file}\n`;
  process.stdout.write(text);
  return results;
}

function report(old: Results, results: Results, { threshold, changes, print }: BenchOptions): void {
  const comparison = compare(old, results, threshold);
  if (changes !== null) writeFileSync(changes, `${JSON.stringify(comparison, null, 1)}\n`);
  const text = comparisonText(comparison, threshold);
  (print ? process.stderr : process.stdout).write(`\n${text}`);
  if (comparison.changes.some(({ verdict }) => verdict === "slower")) process.exitCode = 1;
}

/** @throws WrongUse where it is no result file. */
function read(path: string): Results {
  let found: Partial<Results>;
  try {
    found = JSON.parse(readFileSync(path, "utf8")) as Partial<Results>;
  } catch (error) {
    throw new WrongUse(`cannot read ${path}: ${(error as Error).message}`);
  }
  if (found?.schema === 1 && Array.isArray(found.rows)) return found as Results;
  throw new WrongUse(`expected a result file of schema 1 but received ${path}`);
}
