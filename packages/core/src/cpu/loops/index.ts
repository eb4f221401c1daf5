export { loopCounters } from "./counter.ts";
