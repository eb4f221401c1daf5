export { axisOptionsOf, BINS, type BinsText, binsText, hasBins } from "./bins.ts";
export { both, checkOnce, checkOneFormat, checkOneStdin, dashed, oneOf, refuse } from "./checks.ts";
export { HELP_OPTION, newCommand, withManual } from "./command.ts";
export { choice, collected, EXIT_CODES } from "./option.ts";
export { outputOption, withOutput } from "./output.ts";
export { bothBins, listed, pair, twoColumns } from "./pair.ts";
export type { Percent } from "./percentiles.ts";
export {
  CHANNELS,
  maskOption,
  type PictureOptions,
  type PictureReading,
  parsePictures,
  pictureOptions,
} from "./pictures.ts";
export { parseReading, type Reading, type ReadingOptions, readingOptions, refuseReading } from "./reading.ts";
export {
  givenShard,
  type OwnShard,
  type PartRequest,
  parsePart,
  parseShard,
  partOptions,
  type ShardOptions,
  shardOptions,
} from "./shards.ts";
export { storedValue } from "./stored-value.ts";
export { chartOptions, DEFAULT_VIEW, parseView, SCALES, type View, type ViewOptions } from "./view.ts";
export {
  algorithmOption,
  backendOption,
  kOption,
  parseAlgorithm,
  parseThreads,
  parseWork,
  threadsOption,
  type WorkOptions,
  type WorkRequest,
} from "./work.ts";
