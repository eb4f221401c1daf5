export {
  bindable,
  checkBuffer,
  checkUnmapped,
} from "./buffer-samples.ts";
export { Buffers, Growing, padded } from "./buffers.ts";
export { ANOTHERS, deviceSamples, type Piece, wrong } from "./external.ts";
export { Filler } from "./filler.ts";
export { JobBuffers } from "./job-buffers.ts";
export { type OwnChunk, WebgpuResident } from "./resident.ts";
export { chunksOf, pixelBytesOf, type ReadyChunk, Source, shapeOf } from "./source.ts";
export { pitchOf, type TablePart, tableOf, uploadTable, WebgpuTable } from "./table.ts";
