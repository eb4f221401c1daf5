// A process that serves the dashboard, so that a test can measure the memory of the server alone.
// Sends its origin to its parent, and on any message what it holds after a collection.
import { servePage } from "./backends.ts";

const { origin } = await servePage();
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external + arrayBuffers });
});
process.on("disconnect", () => process.exit());
process.send?.({ origin });
