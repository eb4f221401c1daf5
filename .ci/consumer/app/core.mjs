// The least that a page does on polybin's own CPU backend, to see what must be loaded for it.
import { openEngine } from "@polybin/core";

const engine = await openEngine();
const { counts } = await engine.histogram(Uint8Array.of(1, 2, 2, 255));
const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
globalThis.found = { first: [...counts.slice(0, 3)], backend: engine.backend, loaded };
