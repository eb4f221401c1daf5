/** Columns with details. They take about 10 kB each, and the list holds the others. */
export const MOST_CARDS = 1000;
/** Findings and files that the page lists. */
export const MOST_FINDINGS = 1000;
export const MOST_FILES = 1000;
