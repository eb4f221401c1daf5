// A program of Node's.
import { createReadStream, openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { describeBackend, runConformance } from "@polybin/conformance";
import { openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";

await using engine = await openEngine({ backend: piscina() });
const signal = AbortSignal.timeout(1000);
const bytes = await readFile("x");
await engine.histogram(bytes, { signal });
await engine.histogram({ data: bytes, type: "f32", width: 1 });
await engine.histogram(createReadStream("x"), { type: "u16", signal });
await engine.histogram(await openAsBlob("x"));
await runConformance(piscina, { kernels: new URL("./kernels/", import.meta.url) });
export const register: typeof describeBackend = describeBackend;

// @ts-expect-error read it first
await engine.histogram(readFile("x"));
// @ts-expect-error no signal
await engine.histogram(bytes, { signal: 5 });
