import { runConformance } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";

// The run in Node covers the whole contract. These cases cover what may differ in a page: its shader compiler, its
// limits, its kinds of memory, and the lifetime of its devices.
const TOPICS = ["claims", "flow", "views", "lifecycle"];

/** One case of weighted sums that adds up. */
const WEIGHTED = "claim of weighted-fixed-point";

const outcome = runConformance(() => webgpu(), {
  filter: (one) => TOPICS.includes(one.topic) || one.name === WEIGHTED,
  required: true,
});
Object.assign(globalThis, { outcome });
