import { bundled } from "../../.config/rolldown.mjs";

// Both readers and the backend load the addon, so the code that finds it is in a chunk, as deep as its source.
export default bundled(["index", "readers", "readers-in-page"]);
