import { callName, type Row } from "../runner/row.ts";
import { median, throughput } from "../runner/statistics.ts";
import { figure, markdown } from "./markdown.ts";

/** Whole calls and kernels are never in one table: a call has a cost of its own that no kernel shows. */
export type Basis = "calls" | "kernels";

/** Which of the rows stand in a table: bytes in 256 bins unless told otherwise. */
export interface Chosen {
  readonly rows: readonly Row[];
  readonly basis: Basis;
  readonly residence?: Row["residence"];
  readonly type?: string;
  readonly distribution?: string;
  readonly n?: number;
  /** Lines, in this order; default all, in theirs. */
  readonly who?: readonly string[];
}

/** One cell: microseconds, and what 99 of 100 take at the most. */
export interface Cell {
  readonly row: Row;
  readonly who: string;
  readonly us: number;
  readonly p99: number | undefined;
}

/** Lines down, and what tells columns apart across. */
interface Grid {
  readonly heads: string;
  readonly across: (row: Row) => number | string;
  readonly show: (cell: Cell) => string;
  /**
   * Last lines: how many times as long the second takes as the first, which below 1 is the slower one; and the first's share
   * of what its run measured to be possible, where it did.
   */
  readonly over?: readonly [ours: string, theirs: string];
}

/** Ours by its package and how it is called, a peer by its name and way. */
export function whoOf(row: Row): string {
  const { peer, variant, memory } = row;
  const threads = row.threads === undefined ? "" : `, ${row.threads} thread${row.threads === 1 ? "" : "s"}`;
  if (peer !== null) return [NAMES[peer] ?? peer, variant, memory].filter(Boolean).join(", ");
  const own = row.backend === "cpu" ? "core" : row.backend;
  const how = callName(row) ?? row.algorithm;
  return `\`@polybin/${own}\`, ${how}${memory === undefined ? "" : `, ${memory}`}${threads}`;
}

const NAMES: Readonly<Record<string, string>> = {
  cub: "CUB",
  cupy: "CuPy",
  pytorch: "PyTorch",
  numpy: "NumPy",
  opencv: "OpenCV",
  c: "C",
  "js-loop": "a JavaScript loop",
};

/** The cells of a basis; files from before calls were measured one by one have them beside their kernels. */
export function cellsOf({
  rows,
  basis,
  residence = "resident",
  type = "u8",
  distribution,
  n,
  who,
}: Chosen): Cell[] {
  const of = rows.filter(
    (row) =>
      row.type === type &&
      row.bins === 256 &&
      row.residence === residence &&
      row.segments === undefined &&
      (distribution === undefined || row.distribution === distribution) &&
      (n === undefined || row.n === n) &&
      (row.peer === null || row.exact),
  );
  const cells = basis === "kernels" ? of.filter(isKernels) : of.flatMap(calledAs);
  const all = cells.map((row): Cell => {
    const { p99 } = row;
    const us = median(row.ms) * 1000;
    return { row, who: whoOf(row), us, p99: p99 === undefined ? undefined : p99 * 1000 };
  });
  // What stands beside kernels gives way to what was measured by itself.
  const once = [...Map.groupBy(all, ({ who: by, row }) => `${by} ${row.n} ${row.distribution}`).values()].map(
    (same) => same.find(({ row }) => row.p99 !== undefined) ?? same[0]!,
  );
  return who === undefined ? once : once.filter((cell) => who.includes(cell.who));
}

function isKernels({ call, peer, algorithm, variant }: Row): boolean {
  return (
    call === undefined &&
    (peer === "cub" || (peer === null && algorithm === "per-lane" && variant !== "whole call"))
  );
}

/** The share of the ceiling of a row of kernels is theirs. */
function calledAs(row: Row): Row[] {
  const { callMs, call, peer, algorithm, variant } = row;
  if (call !== undefined) return [row];
  const isPlain = peer !== null || (algorithm === "per-lane" && variant === undefined);
  return isPlain && callMs !== undefined ? [{ ...row, call: "count", ms: callMs, ceilingPercent: null }] : [];
}

function grid(
  cells: readonly Cell[],
  { heads, across, show, over }: Grid,
  order?: readonly string[],
): string[] {
  const lines = [...Map.groupBy(cells, ({ who }) => who)];
  if (order !== undefined) lines.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const columns = [...new Set(cells.map(({ row }) => across(row)))];
  if (typeof columns[0] === "number") columns.sort((a, b) => Number(a) - Number(b));
  const at = (its: readonly Cell[], column: string | number) => its.find(({ row }) => across(row) === column);
  const body = lines.map(([who, its]) => [
    who,
    ...columns.map((column) => {
      const cell = at(its, column);
      return cell === undefined ? "" : show(cell);
    }),
  ]);
  if (over !== undefined) {
    const [ours, theirs] = over.map((who) => cells.filter((cell) => cell.who === who));
    const ratios = columns.map((column) => {
      const [a, b] = [at(ours!, column), at(theirs!, column)];
      return a === undefined || b === undefined ? "" : (b.us / a.us).toFixed(2);
    });
    if (ratios.some(Boolean)) body.push([`${over[1]} / ${over[0]}`, ...ratios]);
    const shares = columns.map((column) => at(ours!, column)?.row.ceilingPercent ?? null);
    if (shares.some((share) => share !== null))
      body.push([
        `${over[0]}, of the ceiling`,
        ...shares.map((share) => (share === null ? "" : `${share.toFixed(1)}%`)),
      ]);
  }
  const named = columns.map((column) => (typeof column === "number" ? powerOf(column) : column));
  return cells.length === 0 ? [] : markdown([[heads, ...named], ...body]);
}

/** µs of each by size, and the 99th percentile where it was measured. */
export function bySize(of: Chosen, over?: Grid["over"]): string[] {
  const cells = cellsOf({ distribution: "uniform", ...of });
  return grid(
    cells,
    {
      heads: "µs",
      across: ({ n }) => n,
      show: ({ us, p99 }) => `${figure(us)}${p99 === undefined ? "" : ` (${figure(p99)})`}`,
      ...(over === undefined ? {} : { over }),
    },
    of.who,
  );
}

/** Calls a second by size. */
export function aSecond(of: Chosen): string[] {
  const cells = cellsOf({ distribution: "uniform", ...of });
  return grid(cells, { heads: "a second", across: ({ n }) => n, show: ({ us }) => figure(1e6 / us) }, of.who);
}

/** µs, or GB/s, of each by distribution, at one size. */
export function byDistribution(of: Chosen, unit: "µs" | "GB/s", over?: Grid["over"]): string[] {
  return grid(
    cellsOf(of),
    {
      heads: unit,
      across: ({ distribution }) => distribution,
      show: ({ us, row }) => figure(unit === "µs" ? us : throughput(row.n, [us / 1000])),
      ...(over === undefined ? {} : { over }),
    },
    of.who,
  );
}

/** Distributions down, sizes across: how many times as long `theirs` takes as `ours`; where it is faster, in italics. */
export function ratios(of: Chosen, ours: string, theirs: string): string[] {
  const cells = cellsOf(of);
  const both = cells.flatMap((cell) => {
    const other = cells.find(
      ({ who, row }) => who === theirs && row.n === cell.row.n && row.distribution === cell.row.distribution,
    );
    return cell.who !== ours || other === undefined
      ? []
      : [{ ...cell, who: cell.row.distribution, ratio: other.us / cell.us }];
  });
  const show = (cell: Cell) => {
    const { ratio } = both.find(({ row }) => row === cell.row)!;
    return ratio < 1 ? `*${ratio.toFixed(2)}*` : ratio.toFixed(2);
  };
  return grid(both, { heads: `${theirs} / ${ours}`, across: ({ n }) => n, show });
}

function powerOf(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) ? `2^${exponent}` : String(n);
}
