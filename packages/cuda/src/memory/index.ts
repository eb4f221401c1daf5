/** What lies on the devices, and what comes to them: parts of samples, of tables, of files. */
export { CudaResident, type ResidentPart } from "./resident.ts";
export { residentOf, type Share, sharesOf, withSamples, withShares } from "./source.ts";
export { splitFeatures, type TablePart } from "./split.ts";
export { CudaTable, type ResidentTablePart } from "./tables.ts";
