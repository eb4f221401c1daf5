import { type Case, runConformance } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";

// Node's run has the whole contract. Here is what a page may do differently: its own shader compiler and limits, its
// kinds of memory, its devices' lives.
const TOPICS = ["claims", "flow", "views", "lifecycle"];

/** A minute by itself: on SwiftShader each of the many shaders into which this topic leads per-lane takes a second. */
const tooSlow = ({ topic, name }: Case): boolean => topic === "flow" && name.startsWith("per-lane");

const outcome = runConformance(() => webgpu(), {
  filter: (one) => TOPICS.includes(one.topic) && !tooSlow(one),
  required: true,
});
Object.assign(globalThis, { outcome });
