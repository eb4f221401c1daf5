/** Calls that fork threads of their own at a time, while those are at most MAX_THREADS together. */
export const FORKS_AT_ONCE = 4;
