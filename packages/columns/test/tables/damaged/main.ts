// Damages tables in many ways and reads them.   node test/tables/damaged/main.ts [CASES [FIRST SEED]]   default: 100000, 1
// Exits with 1 if an error has no code, or memory exceeds the limit. A crash or a hang shows itself.
import { argv, memoryUsage } from "node:process";
import { corpus, mutant, verdictOf } from "./mutants.ts";

const CASES = 100_000;
const MAX_RSS = 1_073_741_824;
/** A file that takes longer than this is named. */
const SLOW_MS = 2000;

const files = corpus();
const count = Number(argv[2] ?? CASES);
const first = Number(argv[3] ?? 1);
const table: Record<string, Record<string, number>> = {};
let failures = 0;
let most = 0;
const start = performance.now();
for (let seed = first; seed < first + count; seed++) {
  const file = files[seed % files.length]!;
  const { damage, bytes } = mutant(file.bytes, seed);
  const begin = performance.now();
  const verdict = await verdictOf(bytes, file.name.endsWith(".parquet") ? "parquet" : "arrow").catch((error: unknown) => {
    failures++;
    console.log(`${file.name}, ${damage}, seed ${seed}: ${error instanceof Error ? error.stack : error}`);
    return "no code";
  });
  const ms = performance.now() - begin;
  if (ms > SLOW_MS) console.log(`${file.name}, ${damage}, seed ${seed}: ${ms.toFixed(0)} ms, ${verdict}`);
  table[damage] ??= {};
  table[damage][verdict] = (table[damage][verdict] ?? 0) + 1;
  most = Math.max(most, memoryUsage.rss());
}
console.table(table);
console.log(`${count} files in ${((performance.now() - start) / 1000).toFixed(0)} s, at most ${(most / 2 ** 20).toFixed(0)} MiB, ${failures} without a code`);
if (failures > 0 || most > MAX_RSS) process.exitCode = 1;
