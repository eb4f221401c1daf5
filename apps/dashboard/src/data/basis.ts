import type { Row } from "./types.ts";
import { onCpu } from "./words.ts";

/**
 * The time behind a throughput: the kernels alone, on a device's clock, or the whole call, as a program sees it. No view
 * shows both together, because a call has a fixed cost that no kernel shows.
 */
export type Basis = "call" | "kernel";

export const BASES: readonly { readonly value: Basis; readonly label: string }[] = [
  { value: "kernel", label: "Kernel" },
  { value: "call", label: "Whole call" },
];

/** Whole calls: a program waits for them on every machine. Kernels alone are timed on GPUs only. */
export const FIRST_BASIS: Basis = "call";

/** Names the basis in a column of a table. */
export const basisName = (basis: Basis | null): string => (basis === "kernel" ? "kernel" : "whole call");

/** Whether `gbps` and `ms` are times of kernels. They are for data on a GPU, except for peers that time their calls. */
const isKernelTimed = (row: Row): boolean =>
  row.call === undefined &&
  row.residence === "resident" &&
  !onCpu(row) &&
  (row.peer === null || row.callGbps === undefined);

/** Returns the rows that were measured on a basis, with that basis' throughput and share of the ceiling. */
export function onBasis(rows: readonly Row[], basis: Basis): Row[] {
  return rows.flatMap((row): Row[] => {
    if (!isKernelTimed(row)) return basis === "call" ? [checked(wholeCall(row))] : [];
    if (basis === "kernel") return [checked(row)];
    return row.callGbps === undefined ? [] : [checked(slower(row, row.callGbps))];
  });
}

/** On a CPU, `ms` may be the time of the workers alone. Then `callGbps` has the whole call. */
const wholeCall = (row: Row): Row =>
  onCpu(row) && row.callGbps !== undefined ? slower(row, row.callGbps) : row;

/** The row with the throughput of its whole call. */
function slower(row: Row, gbps: number): Row {
  const share = gbps / row.gbps;
  return {
    ...row,
    gbps,
    ceilingPercent: row.ceilingPercent === null ? null : row.ceilingPercent * share,
    ...(row.valuesPerSecond === undefined ? {} : { valuesPerSecond: row.valuesPerSecond * share }),
  };
}

/** Nothing is faster than a true ceiling, so a share above 100% makes the measured ceiling invalid. */
function checked(row: Row): Row {
  const { ceilingPercent } = row;
  return ceilingPercent === null || ceilingPercent <= 100
    ? row
    : { ...row, ceilingPercent: null, invalidCeiling: true };
}
