// The least that a page does on WebGPU, to see what must be loaded for it.
import { openEngine } from "@polybin/core";
import { webgpu } from "@polybin/webgpu";

const engine = await openEngine({ backend: webgpu() });
const { counts } = await engine.histogram(Uint8Array.of(1, 2, 2, 255));
const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
globalThis.found = { first: [...counts.slice(0, 3)], backend: engine.backend, loaded };
