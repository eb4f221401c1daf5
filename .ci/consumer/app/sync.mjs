// A page that counts one array without an engine, to see what must be loaded for it.
import { histogramSync } from "polybin/sync";

const { counts } = histogramSync(Uint8Array.of(1, 2, 2, 255));
const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
globalThis.found = { first: [...counts.slice(0, 3)], loaded };
