/** Data on the devices and data to upload: parts of samples, of tables, of files. */
export type { Held, Keeper } from "./kept.ts";
export { CudaResident, CudaTable } from "./resident.ts";
export { CudaRows, type ResidentRowsPart } from "./resident-rows.ts";
export { addTo, gatherRows, type RowShape, rowsFor } from "./rows.ts";
export { pixelBytesOf, residentOf, type Share, sharesOf, withShares } from "./source.ts";
export { splitFeatures, type TablePart } from "./split.ts";
