/**
 * Layout of the 32-bit counts in `into`. Each channel, in the order of the option `channels`, has:
 *
 *   bin 0 … bins-1 | underflow | overflow | NaN
 */
export interface CountsLayout {
  readonly channels: readonly number[];
  /** Byte offset of each channel's first bin, from the start of `into`. */
  readonly offsets: readonly number[];
  /** Size of all channels in bytes. */
  readonly bytes: number;
}
