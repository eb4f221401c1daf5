import { runConformance } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";

// Node's run has the whole contract. Here is what a page may do differently: its own shader compiler and limits, its
// kinds of memory, its devices' lives.
const TOPICS = ["claims", "flow", "views", "lifecycle"];

/** Of weighted sums one that adds up. */
const WEIGHTED = "claim of weighted-fixed-point";

const outcome = runConformance(() => webgpu(), {
  filter: (one) => TOPICS.includes(one.topic) || one.name === WEIGHTED,
  required: true,
});
Object.assign(globalThis, { outcome });
