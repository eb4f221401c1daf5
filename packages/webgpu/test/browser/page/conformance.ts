import { type Case, runConformance } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";

// Node's run has the whole contract. Here is what a page may do differently: its own shader compiler and limits, its
// kinds of memory, its devices' lives.
const TOPICS = ["claims", "flow", "views", "lifecycle"];

/** Of weighted sums one that adds up: a shader with a whole workgroup's memory takes seconds in a page on SwiftShader. */
const WEIGHTED = "claim of weighted-fixed-point";

/** A minute by itself: on SwiftShader each of the many shaders into which this topic leads per-lane takes a second. */
const tooSlow = ({ topic, name }: Case): boolean => topic === "flow" && name.startsWith("per-lane");

const outcome = runConformance(() => webgpu(), {
  filter: (one) => (TOPICS.includes(one.topic) && !tooSlow(one)) || one.name === WEIGHTED,
  required: true,
});
Object.assign(globalThis, { outcome });
