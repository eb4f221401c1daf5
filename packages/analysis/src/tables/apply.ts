import { AnalysisError, checkedWhole, checkOptions, expected } from "../error.ts";
import type { Table } from "./levels.ts";

/** Options of `applyTable`. */
export interface ApplyOptions<T extends Table> {
  /** Interleaved samples per pixel. Default: 1. */
  readonly channels?: number;
  /** The channel that the table changes. Default: all channels. */
  readonly channel?: number;
  /** The array that the call overwrites and returns; it may be `samples`. Default: a new array. */
  readonly into?: T;
}

/**
 * Returns samples with each value replaced by its entry of a table. Samples of other channels stay as they are.
 * @param samples 8- or 16-bit numbers, interleaved if there are several channels.
 * @param table 256 entries for 8 bits, 65,536 for 16 bits.
 * @throws ERR_INPUT for samples and tables of different depth, and for a channel or an array that does not fit.
 */
export function applyTable<T extends Table>(samples: T, table: T, options: ApplyOptions<T> = {}): T {
  checkOptions(options, ["channels", "channel", "into"]);
  checkDepth(samples, table);
  const channels = checkedWhole(options.channels ?? 1, "channels", 1);
  const channel =
    options.channel === undefined ? null : checkedWhole(options.channel, "channel", 0, channels - 1);
  const into = options.into ?? (samples.slice() as T);
  if (into.constructor !== samples.constructor || into.length !== samples.length) {
    throw expected("ERR_INPUT", "into", `${samples.length} samples of the same depth`, into);
  }
  if (into !== samples && options.into !== undefined) into.set(samples);
  const stride = channel === null ? 1 : channels;
  for (let i = channel ?? 0; i < into.length; i += stride) into[i] = table[into[i]!]!;
  return into;
}

function checkDepth(samples: Table, table: Table): void {
  const levels = samples instanceof Uint8Array ? 256 : samples instanceof Uint16Array ? 65_536 : null;
  if (levels === null) throw expected("ERR_INPUT", "samples", "a Uint8Array or a Uint16Array", samples);
  const isTable = levels === 256 ? table instanceof Uint8Array : table instanceof Uint16Array;
  if (isTable && table.length === levels) return;
  throw new AnalysisError("ERR_INPUT", `expected a table of ${levels} entries, as deep as the samples`);
}
