export { sequentialCounter } from "./counting.ts";
export { CpuDevice, cpu, SIMULATED } from "./cpu.ts";
