import { runConformance } from "@polybin/conformance";
import { webgpu } from "@polybin/webgpu";

// What a page may do differently from Node: another Dawn, another shader compiler in front of it, other limits.
// Node's run has all topics; these end within a minute on SwiftShader.
const TOPICS = ["claims", "axes", "flow", "views", "layout", "lifecycle", "properties"];

const outcome = runConformance(() => webgpu(), {
  filter: ({ topic }) => TOPICS.includes(topic),
  numRuns: 5,
  required: true,
  onResult: ({ topic, name, status, ms }) =>
    console.log(`${status} ${topic} > ${name} (${ms.toFixed(0)} ms)`),
});
Object.assign(globalThis, { outcome });
