/**
 * 32-bit counts as they lie in `into`. Of each channel, in the order of the option `channels`:
 *
 *   bin 0 … bins-1 | underflow | overflow | NaN
 */
export interface CountsLayout {
  readonly channels: readonly number[];
  /** Where each channel's first bin lies: bytes from the start of `into`. */
  readonly offsets: readonly number[];
  /** Bytes of all channels together. */
  readonly bytes: number;
}
