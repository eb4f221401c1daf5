import { adviceFor, checkNames, expected, PolybinError } from "../base/index.ts";
import type { FileSamples, Input } from "./handed.ts";
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

/** Samples in a file, for backends that read files themselves (`engine.readsFiles`). */
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
/** The state of a file that a device has opened: Node's `stat` with `bigint`. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
}

/** The state of the file behind an input when its call last saw it. */
const seen = new WeakMap<FileInputOf, FileState>();
type FileInputOf = Extract<Input, { readonly kind: "file" }>;

/**
 * Checks that a file holds the samples and is the file that its call saw before. A device calls it after it opens the
 * file and again after it reads the file, so that all passes of a call read the same bytes. A file may grow, because
 * the described samples are still there. The check cannot distinguish a writer that overwrites and extends the file at
 * the same time from one that only extends it.
 * @throws ERR_INPUT
 */
export function checkFile(input: FileInputOf, state: FileState): void {
  const { path, type, channels, offset, pixels } = input.file;
  if (!state.isFile()) throw new PolybinError("ERR_INPUT", `expected a regular file but ${path} is not one`);
  const end = offset + pixels * channels * SAMPLE_TRAITS[type].bytes;
  if (state.size < end) {
    throw new PolybinError("ERR_INPUT", `expected ${end} bytes in ${path} but it has ${state.size}`);
  }
  const before = seen.get(input) ?? state;
  const written = state.mtimeNs !== before.mtimeNs && state.size <= before.size;
  if (state.dev !== before.dev || state.ino !== before.ino || written) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected ${path} to stay unchanged while it is read but it was changed; nothing was counted`,
    );
  }
  seen.set(input, state);
}

export function isFileInput(value: unknown): value is FileInput {
  return typeof value === "object" && value !== null && (value as FileInput).kind === "file";
}
