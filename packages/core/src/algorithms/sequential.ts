import type { Algorithm, LaunchRule } from "../plan/index.ts";

/**
 * Counts into one table, one sample after the other: Figure 1 of Brown & Snoeyink, Listing 1 of Podlozhnyuk. Every
 * other algorithm must return the same counts.
 */
export const algorithm: Algorithm = {
  slug: "sequential",
  title: "one table, one sample at a time",
  source: "Brown & Snoeyink 2012, Figure 1; Podlozhnyuk 2009, Listing 1",
  parameters: {},
  preferred: { cpu: 1 },
  maxBins: null,
  launch: ({ cells }, { kind }) => (kind === "cpu" ? oneTable(cells) : NOT_HERE),
  joint: {
    preferred: { cpu: 1 },
    launch: ({ cells }, { kind }) => (kind === "cpu" ? { ...oneTable(cells), table: "replicas" } : NOT_HERE),
  },
};

const NOT_HERE = "sequential runs on one CPU thread, in core's own backend";

function oneTable(cells: number): LaunchRule {
  return {
    threads: 1,
    blocks: 1,
    replicas: 1,
    counterBits: 32,
    cellsPerPass: cells,
    sharedBytes: 0,
    wordsPerThread: null,
  };
}
