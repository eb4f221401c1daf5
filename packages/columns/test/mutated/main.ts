// Damages tables in many ways and reads them: node test/mutated/main.ts [CASES [SEED]]     default: 100000 cases
// Exits with 1 if one of them is neither read nor refused with a code, or if memory grows without end.
import { argv } from "node:process";
import { TABLES, TEXTS_AND_ARRAYS } from "./corpus.ts";
import { trials } from "./trial.ts";

const count = Number(argv[2] ?? 100_000);
/** The number of files of each format with each verdict. */
const verdicts: Record<string, Record<string, number>> = {};
let most = 0;
for await (const { what, format, verdict } of trials(
  [...TEXTS_AND_ARRAYS, ...TABLES],
  count,
  Number(argv[3] ?? 1),
)) {
  const known = verdict === "read" || /^ERR_\w+$/.test(verdict);
  if (!known) {
    console.error(`${what}: ${verdict}`);
    process.exitCode = 1;
  }
  const key = known ? verdict : "neither";
  verdicts[format] ??= {};
  verdicts[format][key] = (verdicts[format][key] ?? 0) + 1;
  most = Math.max(most, process.memoryUsage.rss());
}
console.log(`${count} damaged tables, at most ${Math.round(most / 1e6)} MB of memory`);
console.table(verdicts);
const MAX_BYTES = 600e6;
if (most > MAX_BYTES) process.exitCode = 1;
