/** Data on the devices and data to upload: parts of samples, of tables, of files. */
export { CudaResident, type ResidentPart } from "./resident.ts";
export { CudaRows, type ResidentRowsPart } from "./resident-rows.ts";
export {
  gatherRows,
  type RowShape,
  type RowsHome,
  rowsFor,
  segmentsOfParts,
} from "./rows.ts";
export { residentOf, type Share, sharesOf, withShares } from "./source.ts";
export { splitFeatures, type TablePart } from "./split.ts";
export { CudaTable, type ResidentTablePart } from "./tables.ts";
