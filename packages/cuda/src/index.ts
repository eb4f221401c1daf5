export { type CudaOptions, cuda, pinned } from "./backend.ts";
