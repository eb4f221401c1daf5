/** Names of `CompareOptions`. */
export const COMPARE_OPTIONS: readonly string[] = [
  "columns",
  "bins",
  "top",
  "distinctLimit",
  "keepBytes",
  "signal",
  "onProgress",
];
