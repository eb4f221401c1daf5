export { sequentialCounters } from "./counting.ts";
export { CpuDevice, cpu, SIMULATED, WEIGHTED } from "./cpu.ts";
