export { allocated } from "./allocated.ts";
export { type ByteStream, isBlob, isByteStream } from "./byte-stream.ts";
export { bytesFrom, checkMemory, fixedBytes, nameOfArray } from "./bytes.ts";
export { type Extent, extentOf, extentOfRun, joinExtents, NO_EXTENT } from "./extent.ts";
export {
  type FileInit,
  type FileInput,
  fileSamples,
  isFileInput,
} from "./file.ts";
export { filePieces, type OpenFile, withFile } from "./file-bytes.ts";
export { checkFile, type FileState } from "./file-state.ts";
export type { DeviceInput, External, FileSamples, Input, Resident, ResidentTable } from "./handed.ts";
export * as limits from "./limits.ts";
export { BYTE_NIBBLES, FEATURE_BINS_MIN, STREAM_CHUNK } from "./limits.ts";
export { HostResident, samplesOf } from "./resident.ts";
export { RunReader } from "./run-reader.ts";
export {
  ARRAY_TYPES,
  type ArrayOf,
  arrayOver,
  bitsOf,
  deviceTypeOf,
  INPUT_TYPES,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type SampleTraits,
  type SampleType,
  valueOfHalf,
} from "./sample-types.ts";
export {
  checkedChannels,
  checkedWhole,
  isSamplesInit,
  type Region,
  runs,
  type Samples,
  type SamplesInit,
  samples,
} from "./samples.ts";
export { eachSegmentRun, pixelsBefore, segmentAt, segmentPixels } from "./segment-order.ts";
export { type Cuttable, type Segments, type SegmentsInit, segmentsOf } from "./segments.ts";
export { type SegmentRange, segmentsIn } from "./segments-in.ts";
export { type Channels, type Countable, channelsOf, forDevice, type Source, sourceOf } from "./source.ts";
export { promisedBytes, typedStream, wholePixels } from "./stream.ts";
export {
  type CheckedTable,
  checkedTable,
  type FeatureTableInit,
  HostTable,
  type TableValues,
  tableValuesOf,
  valuesOf,
} from "./table.ts";
export { copiedTable } from "./table-copy.ts";
export { until } from "./until.ts";
export { rowBytes, VALUE_TRAITS, VALUE_TYPES, type ValueType } from "./value-types.ts";
