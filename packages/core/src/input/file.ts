import { adviceFor, checkNames, expected, PolybinError } from "../base/index.ts";
import type { FileSamples } from "./handed.ts";
import { INPUT_TYPES, SAMPLE_TRAITS, type SampleType } from "./sample-types.ts";
import { checkedChannels, checkedWhole } from "./samples.ts";

/** Describes a file of little-endian values. */
export interface FileInit {
  /** Path of the file. */
  readonly path: string;
  /** Size of the file, or of the part to count, in bytes. */
  readonly bytes: number;
  /** Bytes before the first sample. Default: 0. */
  readonly offset?: number;
  /** Sample type. Default: "u8". */
  readonly type?: SampleType;
  /** Interleaved samples per pixel. Default: 1. */
  readonly channels?: number;
}

/** Samples in a file. If `engine.readsFiles` is true, the device reads the file of a plain count itself. */
export interface FileInput extends FileSamples {
  readonly kind: "file";
}

const NAMES = ["path", "bytes", "offset", "type", "channels"] satisfies (keyof FileInit)[];

/**
 * Describes samples in a file. It does not open the file, because core also runs where there are no files.
 * @throws ERR_INPUT for an unknown property, an invalid value, or a size that is not a whole number of pixels.
 */
export function fileSamples(init: FileInit): FileInput {
  checkNames(init, NAMES);
  const { path, bytes, offset = 0, type = "u8", channels = 1 } = init;
  if (typeof path !== "string" || path === "") throw expected("ERR_INPUT", "path", "a file's path", path);
  if (!INPUT_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
  checkedWhole(bytes, "bytes", 0);
  checkedWhole(offset, "offset", 0);
  checkedChannels(channels, "channels");
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  if (bytes % pixelBytes !== 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected a whole number of ${type} samples (${pixelBytes} bytes each) in ${path} but it has ${bytes} bytes`,
    );
  }
  const file = { kind: "file" as const, path, offset, type, channels, pixels: bytes / pixelBytes };
  made.add(file);
  return Object.freeze(file);
}

/** Files that this module described, which need no check. */
const made = new WeakSet<object>();

/** Checks a file that was described elsewhere (JSON, another realm) by describing it again. @throws ERR_INPUT */
export function checkedFile(file: FileInput): FileInput {
  if (made.has(file)) return file;
  checkNames(file, FILE_NAMES, { of: "a file" });
  const { path, offset, type, channels, pixels } = file;
  if (typeof path !== "string") {
    throw expected("ERR_INPUT", "path", "a file's path", path, { helps: adviceFor(file) });
  }
  const { bytes = Number.NaN } = SAMPLE_TRAITS[type] ?? {};
  return fileSamples({ path, offset, type, channels, bytes: pixels * channels * bytes });
}

const FILE_NAMES = ["kind", "path", "offset", "type", "channels", "pixels"] satisfies (keyof FileInput)[];

export function isFileInput(value: unknown): value is FileInput {
  return typeof value === "object" && value !== null && (value as FileInput).kind === "file";
}
