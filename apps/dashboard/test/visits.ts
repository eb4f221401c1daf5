/** Every view, and what must be on it: plots, or sentences where there is nothing to plot. */
export const VIEWS: readonly (readonly [view: string, holds: string])[] = [
  ["overview", "table"],
  ["explore/throughput", "svg.plot"],
  ["explore/distributions", "svg.plot"],
  ["explore/ceiling", "svg.plot"],
  ["explore/roofline", "svg.plot"],
  ["explore/peers", "svg.plot"],
  ["explore/calls", "svg.plot"],
  ["explore/k-sweep", "svg.plot"],
  ["explore/weighted", "svg.plot"],
  ["papers", "svg.plot"],
  ["explore/cell", "svg.plot"],
  ["explore/files", "table"],
  // The sample is counted, and its controls are there.
  ["try/picture", ".badge"],
  ["try/compare", "p.absent"],
];

export const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;
