/** Calls that fork threads at a time, as long as they have at most MAX_THREADS threads in total. */
export const FORKS_AT_ONCE = 4;
