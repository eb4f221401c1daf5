export { type Extent, extentOf, extentOfRun, joinExtents, NO_EXTENT } from "./extent.ts";
export { checkFile, type FileInit, type FileInput, type FileState, fileSamples } from "./file.ts";
export type { DeviceInput, External, FileSamples, Input, Resident, ResidentTable } from "./handed.ts";
export { HostResident, samplesOf } from "./resident.ts";
export {
  ARRAY_TYPES,
  arrayOver,
  bitsOf,
  bytesFrom,
  checkedChannels,
  checkedWhole,
  isSamplesInit,
  nameOfArray,
  type Region,
  runs,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type Samples,
  type SamplesInit,
  type SampleTraits,
  type SampleType,
  samples,
} from "./samples.ts";
export { type Channels, type Countable, channelsOf, type Source, sourceOf } from "./source.ts";
export { type ByteStream, isByteStream, promisedBytes, wholePixels } from "./stream.ts";
export {
  type CheckedTable,
  checkedTable,
  type FeatureTableInit,
  HostTable,
  type TableValues,
  tableValuesOf,
  valuesOf,
} from "./table.ts";
export { rowBytes, VALUE_TRAITS, VALUE_TYPES, type ValueType } from "./value-types.ts";
