import { PolybinError } from "../base/index.ts";
import type { Input } from "./handed.ts";
import { SAMPLE_TRAITS } from "./sample-types.ts";

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
