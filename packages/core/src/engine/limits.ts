/** Plans of inputs of different sizes that calls with equal options cache, and joint jobs that an engine caches. */
export const KEPT_JOBS = 16;
/** Jobs that an engine caches over all axes, by everything that decides them. */
export const KEPT_ENGINE_JOBS = 128;
/** Axes, with the type of samples, whose replacement on devices an engine caches. */
export const KEPT_AXES = 32;
/** Options of calls that an engine caches, to recognize equal ones. */
export const KEPT_RECIPES = 16;
/** Cells of all rows that a device adds up weights in, at most. With more, this thread finds the cells. */
export const WEIGHTED_CELLS = 1_048_576;
/** Calls that an engine passes to a device at a time, unless the device sets another number. Others wait. */
export const CALLS_AT_ONCE = 16;
