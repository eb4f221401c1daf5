import { writeFileSync } from "node:fs";
import { startWithSoftwareGpu } from "../command/swiftshader.ts";
import { WrongUse } from "../command/wrong-use.ts";
import { askedFor, compare, comparisonText, isWorse } from "../compare/compare.ts";
import type { Results } from "../runner/row.ts";
import { checkFile, readResults } from "./files.ts";
import { type BenchOptions, parseOptions, USAGE } from "./options.ts";
import { runAxes } from "./run.ts";
import { textOf } from "./table.ts";

/** Runs `polybin bench`: measures, prints and compares. Sets the process's exit code. */
export async function bench(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options.help) return void process.stdout.write(`${USAGE}\n`);
  // First, so that wrong files are reported before anything is measured.
  const [olds, news] = [options.compare.map(readResults), options.with.map(readResults)];
  if (options.changes !== null) checkFile(options.changes, [...options.compare, ...options.with]);
  if (news.length > 0) return report(olds, news, options);
  const found = await measured(options);
  const asked = olds.map((old) => askedFor(old, found, options));
  if (olds.length > 0) report(asked, [found], options);
}

async function measured(options: BenchOptions): Promise<Results> {
  if (options.backends.includes("webgpu")) await startWithSoftwareGpu();
  const { results, file } = await runAxes(options);
  const text = options.print ? `${JSON.stringify(results)}\n` : `${textOf(results)}${file}\n`;
  process.stdout.write(text);
  return results;
}

function report(olds: readonly Results[], news: readonly Results[], options: BenchOptions): void {
  const { threshold, changes, print } = options;
  const comparison = compare(olds, news, threshold);
  if (comparison.changes.length === 0) {
    throw new WrongUse(
      `cannot compare with ${options.compare.join(", ")}: it shares no cell of ours with the new results`,
    );
  }
  if (changes !== null) writeFileSync(changes, `${JSON.stringify(comparison, null, 1)}\n`);
  const text = comparisonText(comparison, threshold);
  (print ? process.stderr : process.stdout).write(`\n${text}`);
  if (isWorse(comparison)) process.exitCode = 1;
}
