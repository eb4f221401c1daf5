export { countBytes } from "./bytes.ts";
export { rawCounters } from "./counting.ts";
export { CpuDevice, cpu, SIMULATED, WEIGHTED } from "./cpu.ts";
export { loopCounter, loopCounters, loopOverEdges, rankedByLine, tableLoop } from "./loops/index.ts";
