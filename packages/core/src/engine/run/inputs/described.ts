import { checkNames } from "../../../base/index.ts";
import type { Countable, SampleType } from "../../../input/index.ts";

/** An input of a call with what it does not say itself. */
export interface Described {
  readonly input: Countable;
  /** The channel that is read. Default: the only one. */
  readonly channel?: number | undefined;
  /** Sample type of bytes and of plain memory. */
  readonly type?: SampleType | undefined;
  /** Interleaved samples per pixel of a stream. */
  readonly interleaved?: number | undefined;
  /** Length of a stream in bytes. */
  readonly bytes?: number | undefined;
}

const NAMES: readonly string[] = ["input", "channel", "type", "interleaved", "bytes"];

/** Returns an input in the described form. @throws ERR_INPUT for an unknown name */
export function describedInput(given: Countable | Described, name: string): Described {
  const isDescribed =
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && "input" in given;
  if (!isDescribed) return { input: given };
  checkNames(given, NAMES, { of: name });
  return given;
}
