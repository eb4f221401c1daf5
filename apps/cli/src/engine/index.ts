export { BACKEND_IDS, backendOf } from "./backends.ts";
export { briefReason } from "./brief.ts";
export { Choice, engineFor, weightedEngineFor } from "./choice.ts";
export { type Listed, listBackends } from "./listed.ts";
export { timingsSince } from "./timings.ts";
