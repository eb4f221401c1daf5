/** Largest value of a signed 32-bit sum. */
export const S32_MAX = 2_147_483_647;
/**
 * Maximum number of integer weights that one 32-bit sum adds before it is flushed into a total. Weights are scaled so
 * that this number of them cannot overflow. A larger number costs each weight a bit; a smaller one flushes more
 * often.
 */
export const WEIGHT_ADDENDS = 2048;
/**
 * Bits per limb. Weights of plain samples are cut into limbs, and weights of a table into one or two. The sum of
 * WEIGHT_ADDENDS limbs fits 32 bits, and the sum of 2^33 limbs is below 2^53.
 */
export const LIMB_BITS = 20;
/** Largest share of the sum of |weight| that rounding may lose. Weights of a table that lose more are refused. */
export const WEIGHT_LOSS: number = 2 ** -10;
/** Relative error allowed for the rounding of a sum of doubles: each of 2^32 additions rounds by at most 2^-53. */
export const SUM_SLACK: number = 2 ** -20;
/** Converting a number to a 32-bit float moves it by at most this share of itself, or by F32_HALF_LEAST. */
export const F32_HALF_STEP: number = 2 ** -24;
export const F32_HALF_LEAST: number = 2 ** -150;
/** The exponent of a double's lowest possible bit, and the smallest double with full precision. */
export const F64_LOWEST_BIT = -1074;
export const F64_NORMAL_MIN: number = 2 ** -1022;
/** Adding and subtracting it rounds a double below 2^51 to the nearest integer, ties to even. */
export const ROUNDING: number = 3 * 2 ** 51;
/** Largest error of a sum of precision "fast", as a share of the sum of |weight| that went into it. */
export const FAST_TOLERANCE: number = 2 ** -9;

/** Columns of weights that a call adds up, at most. */
export const WEIGHT_COLUMNS = 16;
/** Samples whose weights are cut into limbs and added up at a time, so that the limbs stay in a cache. */
export const WEIGHED_SAMPLES = 262_144;
