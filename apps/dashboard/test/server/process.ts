// A process that serves the dashboard, so that a test can measure the memory of the server alone.
// Sends its origin to its parent, and on any message what it holds after a collection.
import { setTimeout as sleep } from "node:timers/promises";
import { servePage } from "./backends.ts";

const { origin } = await servePage();
process.on("message", async () => {
  globalThis.gc?.();
  // Connections that were just refused end, and what finalizers let go of goes with the next collection.
  await sleep(500);
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external + arrayBuffers });
});
process.on("disconnect", () => process.exit());
process.send?.({ origin });
