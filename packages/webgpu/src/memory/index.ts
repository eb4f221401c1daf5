export {
  bindable,
  checkBuffer,
  checkUnmapped,
} from "./buffer-samples.ts";
export { Buffers, Growing, Lookups, padded } from "./buffers.ts";
export { ANOTHERS, deviceSamples, type Piece, wrong } from "./external.ts";
export { Filler, padded4 } from "./filler.ts";
export { JobBuffers, type JobLookup } from "./job-buffers.ts";
export { Readbacks } from "./readbacks.ts";
export { type OwnChunk, WebgpuResident } from "./resident.ts";
export { placeBytes, Ring } from "./ring.ts";
export { chunksOf, pixelBytesOf, type ReadyChunk, Source, shapeOf } from "./source.ts";
export { SpareRows } from "./spare-rows.ts";
export { pitchOf, type TablePart, tableOf, uploadTable, WebgpuTable } from "./table.ts";
export { uploadChunks } from "./upload.ts";
