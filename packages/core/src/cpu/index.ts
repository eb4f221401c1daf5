export { rawCounters } from "./counting.ts";
export { CpuDevice, cpu, SIMULATED, WEIGHTED } from "./cpu.ts";
export { loopCounters } from "./loops/index.ts";
