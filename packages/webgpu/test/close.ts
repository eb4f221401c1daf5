// A program that opens, counts, closes, and then exits without a call of process.exit.
import { openEngine } from "@polybin/core";
import { backend } from "./shared.ts";

const engine = await openEngine({ backend: backend() });
const { counts } = await engine.histogram(new Uint8Array(1000), { algorithm: "global" });
await engine.close();
console.log(counts[0]);
