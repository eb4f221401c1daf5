// Writes src/kernels/limits.as.ts, the constants of core's limits.ts that the kernels need, in AssemblyScript.
// With --check: fails when the file in the repository is another.
import { readFileSync, writeFileSync } from "node:fs";
import { limits } from "@polybin/core/backend";

/** Name in the kernels: name in core. */
const NAMES = {
  BYTE_VALUES: "BYTE_VALUES",
  HALF_VALUES: "HALF_VALUES",
  U16_MAX: "U16_MAX",
  U32_MAX: "U32_MAX",
  WORD_BYTES: "WORD_BYTES",
  TRISH_THREADS: "TRISH_THREADS",
  TRISH_WORDS: "TRISH_WORDS",
  BYTE_LANES: "WORKER_LANES",
  PAIR_LANES: "WORKER_PAIR_LANES",
  NARROW_LANES: "WORKER_NARROW_LANES",
  WIDE_LANES: "WORKER_WIDE_LANES",
  NARROW_CELLS: "WORKER_NARROW_CELLS",
  CHUNK_BYTES: "WORKER_CHUNK_BYTES",
  GUESS_CELLS: "GUESS_CELLS",
  WEIGHTED_DOCUMENTS: "WORKER_WEIGHTED_DOCUMENTS",
  SUM_BITS: "WORKER_SUM_BITS",
  SIDE_BY_SIDE: "WORKER_SIDE_BY_SIDE",
};

const lines = Object.entries(NAMES).map(([name, from]) => `export const ${name}: u32 = ${limits[from]};`);
const text = `// Made from @polybin/core's limits.ts by scripts/limits.mjs: change them there.\n\n${lines.join("\n")}\n`;
const file = new URL("../src/kernels/limits.as.ts", import.meta.url);

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("src/kernels/limits.as.ts is stale: run `pnpm run limits` in packages/piscina");
  process.exit(1);
}
