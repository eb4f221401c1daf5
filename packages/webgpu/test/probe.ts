// A program that probes twice, prints the results, and writes to stderr meanwhile.
import { writeSync } from "node:fs";
import { webgpu } from "@polybin/webgpu";

writeSync(2, "before\n");
const first = await webgpu().probe();
writeSync(2, "between\n");
const again = await webgpu().probe();
writeSync(2, "after\n");
console.log(JSON.stringify({ first, again }));
