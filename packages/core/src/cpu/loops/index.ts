export { loopCounter, loopCounters } from "./counter.ts";
export { tableLoop } from "./halves.ts";
export { rankedByLine } from "./line.ts";
export { loopOverEdges } from "./loop-of.ts";
