/** Prepared jobs that an engine keeps for each of them, for the next call of the same shape. */
export const KEPT_JOBS = 16;
/** Options of calls that an engine remembers, to know like ones again. */
export const KEPT_RECIPES = 16;
/** Calls that an engine hands a device at a time, unless it wants another number; the others wait. */
export const CALLS_AT_ONCE = 16;
