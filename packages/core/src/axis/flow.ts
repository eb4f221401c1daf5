/** Offsets of the flow codes after the bins. */
export const UNDERFLOW = 0;
export const OVERFLOW = 1;
export const NAN = 2;
