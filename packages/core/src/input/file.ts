import { adviceFor, checkNames, expected, PolybinError } from "../base/index.ts";
import type { FileSamples, Input } from "./handed.ts";
import { SAMPLE_TRAITS, SAMPLE_TYPES, type SampleType } from "./sample-types.ts";
import { checkedChannels, checkedWhole } from "./samples.ts";

/** A file of little-endian values as a user describes it. */
export interface FileInit {
  readonly path: string;
  /** Bytes of the file, or of the part to count. */
  readonly bytes: number;
  /** Bytes before the first sample. Default 0. */
  readonly offset?: number;
  /** Default u8. */
  readonly type?: SampleType;
  /** Interleaved samples a pixel. Default 1. */
  readonly channels?: number;
}

/** Samples in a file, for backends that read files themselves (`engine.readsFiles`). */
export interface FileInput extends FileSamples {
  readonly kind: "file";
}

const NAMES = ["path", "bytes", "offset", "type", "channels"] satisfies (keyof FileInit)[];

/**
 * Describes samples in a file. Nothing is opened: core runs where there are no files.
 * @throws ERR_INPUT for another name, a wrong value, or bytes that are no whole number of samples.
 */
export function fileSamples(init: FileInit): FileInput {
  checkNames(init, NAMES);
  const { path, bytes, offset = 0, type = "u8", channels = 1 } = init;
  if (typeof path !== "string" || path === "") throw expected("ERR_INPUT", "path", "a file's path", path);
  if (!SAMPLE_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
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

/** Files described here, which need no check. */
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
/** What a device learns of a file that it opened: Node's `stat` with `bigint`. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  isFile(): boolean;
}

/** The file behind an input, as its call saw it last. */
const seen = new WeakMap<FileInputOf, FileState>();
type FileInputOf = Extract<Input, { readonly kind: "file" }>;

/**
 * Looks whether a file holds the samples, and is the file that its call saw before: a device asks when it has opened it,
 * and again when it has read it. So all passes of a call read the same bytes. A file may grow: what was promised is there,
 * unless somebody writes over it and makes it longer at once, which cannot be told from growing.
 * @throws ERR_INPUT
 */
export function checkFile(input: FileInputOf, state: FileState): void {
  const { path, type, channels, offset, pixels } = input.file;
  if (!state.isFile()) throw new PolybinError("ERR_INPUT", `expected a regular file but ${path} is none`);
  const end = offset + pixels * channels * SAMPLE_TRAITS[type].bytes;
  if (state.size < end) {
    throw new PolybinError("ERR_INPUT", `expected ${end} bytes in ${path} but it has ${state.size}`);
  }
  const before = seen.get(input) ?? state;
  const written = state.mtimeNs !== before.mtimeNs && state.size <= before.size;
  if (state.dev !== before.dev || state.ino !== before.ino || written) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected ${path} to stay as it is while it is read but it was changed; nothing was counted`,
    );
  }
  seen.set(input, state);
}

export function isFileInput(value: unknown): value is FileInput {
  return typeof value === "object" && value !== null && (value as FileInput).kind === "file";
}
