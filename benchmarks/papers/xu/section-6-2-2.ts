import { claimOf, numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { because, level, ratio, rule } from "../readings/index.ts";
import { lowOccupancy, moreAtomics } from "./causes.ts";
import { COUNTERS_COMMAND, counterPoints, countersOf } from "./counters.ts";
import { asInPaper } from "./rows.ts";

const [paper, id] = ["xu", "section-6.2.2"] as const;
const [SERIES, UNIFORM, EQUAL] = ["collision-reduced", "uniform", "all equal"] as const;
const [BUFFER, WARPS] = ["N_buffer", "N_warp"].map((name) => claimOf(paper, id, name));
const [OCCUPANCY, SHARED] = ["occupancy, %", "shared memory per block, kB"] as const;
const KILOBYTE = 1024;

const isTuned = ({ weighted: { buffer, warps } }: SumsRow) => buffer === BUFFER && warps === WARPS;

function throughput(measured: Measured): Point[] {
  return asInPaper(measured.sums("Figure 9"))
    .filter((row) => row.algorithm === "weighted-collision-reduced" && isTuned(row))
    .flatMap(({ weighted: { sigma }, gbps }) =>
      sigma === undefined || sigma === 0
        ? [{ series: SERIES, x: sigma === 0 ? EQUAL : UNIFORM, y: gbps }]
        : [],
    );
}

function resources(measured: Measured): Point[] {
  const tuned = countersOf(measured, "Table 6").filter(
    ({ bins, cell }) => bins === 1024 && cell.buffer === BUFFER && cell.warps === WARPS,
  );
  return [
    ...counterPoints(
      tuned,
      SERIES,
      () => OCCUPANCY,
      ({ values }) => values.occupancyMost,
    ),
    ...counterPoints(
      tuned,
      SERIES,
      () => SHARED,
      ({ values: { sharedStatic, sharedDynamic } }) =>
        sharedStatic === null || sharedDynamic === null ? null : (sharedStatic + sharedDynamic) / KILOBYTE,
    ),
  ];
}

export const section622: Figure = {
  paper,
  id,
  title: "Section 6.2.2: the collision-reduced method with 1,024 bins",
  source: "6.2.2",
  lost: null,
  needs: "gpu",
  command: "run bench weighted-paper",
  panels: [
    {
      id: "throughput",
      title: `Throughput with N_buffer = ${BUFFER} and N_warp = ${WARPS}`,
      mark: "bar",
      x: { label: "values", scale: "category" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: numbersOf(paper, id, "throughput"),
      wanted: [UNIFORM, EQUAL].map((x) => ({ series: SERIES, x })),
      ours: throughput,
    },
    {
      id: "resources",
      title: "Resources with the same parameters",
      mark: "none",
      x: { label: "", scale: "category" },
      y: { label: "", scale: "linear" },
      paper: numbersOf(paper, id, "resources"),
      wanted: [OCCUPANCY, SHARED].map((x) => ({ series: SERIES, x })),
      command: COUNTERS_COMMAND,
      ours: resources,
    },
  ],
  rules: [
    because(
      rule(
        "throughput",
        "Uniform values over equal ones",
        "6.2.2",
        ratio({ series: SERIES, x: UNIFORM }, { series: SERIES, x: EQUAL }),
      ),
      moreAtomics,
    ),
    rule("resources", "Shared memory of a block", "6.2.2", level({ series: SERIES, x: SHARED }, " kB")),
    because(
      rule("resources", "Occupancy", "6.2.2", level({ series: SERIES, x: OCCUPANCY }, "%")),
      lowOccupancy,
    ),
  ],
  notes: ["Table 6 shows which N_buffer and N_warp are best for us, and how close these come."],
};
