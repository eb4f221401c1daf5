// Reads the only column of a table in a new process, so that each decoder runs for the first time. Prints a digest.
import { openTable } from "../../src/index.ts";
import { Digest } from "./digest.ts";

const [, , path = ""] = process.argv;
const digest = new Digest();
// Node 22 lacks `await using`.
const table = await openTable(path, { threads: 0 });
for await (const batch of table.read()) digest.batch(batch);
await table.close();
console.log(digest.text);
