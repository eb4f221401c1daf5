/** Columns of the list. The profile itself holds the others. */
export const MOST_LISTED = 5000;
/** Columns with details, which take about 13 kB each. */
export const MOST_CARDS = 1000;
/** Findings and files that the page lists. */
export const MOST_FINDINGS = 1000;
export const MOST_FILES = 1000;
