// Reads damaged tables in a process of its own, which main.ts starts: node child.ts FROM TO STEP. It sends a message for each.
import { registerHooks } from "node:module";
import { argv } from "node:process";
import type { Kind } from "./readers.ts";

const OWN = new URL("readers.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@polybin/native/readers" && context.parentURL !== OWN
      ? { url: OWN, format: "module-typescript", shortCircuit: true }
      : next(specifier, context),
});

const { reading } = await import("./readers.ts");
const { trials } = await import("./trial.ts");
const { TABLES, TEXTS_AND_ARRAYS } = await import("./corpus.ts");
const [from, to, step] = argv.slice(2).map(Number) as [number, number, number];
const readBy = (kind: Kind): void => {
  reading.by = kind;
};
process.send!(null);
const range = { from, to, step };
for await (const trial of trials([...TEXTS_AND_ARRAYS, ...TABLES], range, readBy)) {
  process.send!({ ...trial, bytes: process.memoryUsage.rss() });
}
process.disconnect!();
