// The provoking program in a process of its own, which cannot use CUDA afterwards: main.ts FAULT-ADDON. The results
// go to stdout as JSON, progress to stderr.
import { provoke } from "./provoke.ts";

const [fault = ""] = process.argv.slice(2);
const results = await provoke((line) => console.error(line), { fault });
console.log(JSON.stringify(results));
if (results.some(({ passed }) => !passed)) process.exitCode = 1;
