/** Jobs with prepared kernels that an engine caches for later calls of the same shape. */
export const KEPT_JOBS = 16;
/** Options of calls that an engine caches, to recognize equal ones. */
export const KEPT_RECIPES = 16;
/** Calls that an engine passes to a device at a time, unless the device sets another number. Others wait. */
export const CALLS_AT_ONCE = 16;
