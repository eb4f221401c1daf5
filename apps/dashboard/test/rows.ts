import type { FileEntry, Row } from "../src/data/types.ts";

const file: FileEntry = {
  path: "here/rows",
  folder: "here",
  name: "rows",
  kind: "rows",
  commit: null,
  date: null,
  machine: { gpu: "a GPU" },
  rows: 1,
  profiled: false,
  missing: [],
  conformance: null,
};

/** A row of which only what matters is said. */
export function row(of: Partial<Row>): Row {
  return {
    backend: of.peer == null ? "cuda" : null,
    algorithm: of.peer == null ? "per-lane" : null,
    peer: null,
    type: "u8",
    bins: 256,
    n: 1024,
    distribution: "uniform",
    residence: "resident",
    gbps: 1,
    ceilingPercent: null,
    exact: true,
    medianMs: 1,
    leastMs: 1,
    mostMs: 1,
    runs: 1,
    file,
    at: 0,
    ...of,
  };
}
