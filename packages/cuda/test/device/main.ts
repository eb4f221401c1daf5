// Runs the provoking program in its own process, which cannot use CUDA afterwards: main.ts FAULT-ADDON. Writes the
// results to stdout as JSON, and the progress to stderr.
import { provoke } from "./provoke.ts";

const [fault = ""] = process.argv.slice(2);
const results = await provoke((line) => console.error(line), { fault });
console.log(JSON.stringify(results));
if (results.some(({ passed }) => !passed)) process.exitCode = 1;
