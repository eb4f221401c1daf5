/** Largest value of a signed 32-bit sum. */
export const S32_MAX = 2_147_483_647;
/**
 * Integer weights that one 32-bit sum adds at the most before it goes into a total: weights are scaled so that so many
 * of them cannot overflow it, whatever they are. More would cost each weight a bit, fewer flush more often.
 */
export const WEIGHT_ADDENDS = 2048;
/**
 * Bits of a limb: weights of plain samples are cut into such, and a table's into one or two. Any WEIGHT_ADDENDS of them
 * have a sum that 32 bits hold, and 2^33 of them one below 2^53.
 */
export const LIMB_BITS = 20;
/** Rounding may lose so large a share of the sum of |weight|, and no more: a table's weights that lose more are refused. */
export const WEIGHT_LOSS: number = 2 ** -10;
/** What is left to the rounding of a sum of doubles, as a share of it: each of 2^32 additions rounds by 2^-53 at most. */
export const SUM_SLACK: number = 2 ** -20;
/** A number that becomes a 32-bit float moves by such a share of itself at most, or by half of the least float. */
export const F32_HALF_STEP: number = 2 ** -24;
export const F32_HALF_LEAST: number = 2 ** -150;
/** The exponent of the lowest bit that a double may have, and the least double with all its bits. */
export const F64_LOWEST_BIT = -1074;
export const F64_NORMAL_MIN: number = 2 ** -1022;
/** Added and taken off again, it leaves a double below 2^51 rounded to the nearest integer, halves to the even one. */
export const ROUNDING: number = 3 * 2 ** 51;
/** A sum of precision "fast" is at most so far off, in parts of the sum of |weight| that went into it. */
export const FAST_TOLERANCE: number = 2 ** -9;

/** Samples whose weights are cut and added up at a time: their limbs stay in a cache while one after the other is taken off. */
export const WEIGHED_SAMPLES = 262_144;
