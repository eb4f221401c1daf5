import { callName } from "../runner/names.ts";
import type { Row } from "../runner/row.ts";
import { median, throughput } from "../runner/statistics.ts";
import { figure, markdown } from "./markdown.ts";

/** Whole calls and kernels never share a table, because a call has a fixed cost that no kernel shows. */
export type Basis = "calls" | "kernels";

/** The rows of a table. Default: bytes in 256 bins. */
export interface Chosen {
  readonly rows: readonly Row[];
  readonly basis: Basis;
  readonly residence?: Row["residence"];
  readonly type?: string;
  readonly distribution?: string;
  readonly n?: number;
  /** Names of the lines, in this order. Default: all, in the order of the rows. */
  readonly who?: readonly string[];
}

/** One cell: the median and the 99th percentile, in microseconds. */
export interface Cell {
  readonly row: Row;
  readonly who: string;
  readonly us: number;
  readonly p99: number | undefined;
}

/** The layout of a table. */
interface Grid {
  readonly heads: string;
  readonly across: (row: Row) => number | string;
  readonly show: (cell: Cell) => string;
  /**
   * Adds two last lines: how many times as long the second takes as the first, and the first's share of the ceiling, if its
   * run measured one. Below 1 the first is slower.
   */
  readonly over?: readonly [ours: string, theirs: string];
}

/** Names ours by its package and kind of call, and a peer by its name and method. */
export function whoOf(row: Row): string {
  const { peer, memory } = row;
  const variant = row.variant === undefined ? undefined : (VARIANTS[row.variant] ?? row.variant);
  const threads = row.threads === undefined ? "" : `, ${countersOf(row, row.threads)}`;
  // A file may have OpenCV both on one thread and on all.
  const alone = peer === "opencv" && row.threads === 1 ? "1 thread" : undefined;
  if (peer !== null) return [NAMES[peer] ?? peer, variant, memory, alone].filter(Boolean).join(", ");
  const own = row.backend === "cpu" ? "core" : row.backend;
  const how = callName(row)?.replace("segments left", "segments, leave: true") ?? row.algorithm;
  return `\`@polybin/${own}\`, ${how}${memory === undefined ? "" : `, ${memory}`}${threads}`;
}

/** Names the threads that count. A pool leaves small inputs, and every `countSync`, to the calling thread. */
function countersOf({ backend, call }: Row, threads: number): string {
  const some = (what: string): string => `${threads} ${what}${threads === 1 ? "" : "s"}`;
  if (backend !== "piscina" || call === undefined) return some("thread");
  return call === "countSync" ? "calling thread" : `calling thread or ${some("worker")}`;
}

/** The names of CUB's two kinds of calls and of the plain loop in tables. */
export const CUB_ON_DEVICE = "CUB, counts stay on the device";
export const CUB_ON_HOST = "CUB, counts copied to the host";
export const LOOP = "JavaScript loop";

const NAMES: Readonly<Record<string, string>> = {
  cub: "CUB",
  cupy: "CuPy",
  pytorch: "PyTorch",
  numpy: "NumPy",
  opencv: "OpenCV",
  c: "C",
  "c-threads": "C with threads",
  duckdb: "DuckDB",
  "js-loop": LOOP,
};

/** Clearer names for variants of result files. */
const VARIANTS: Readonly<Record<string, string>> = {
  "until the device is done": "counts stay on the device",
  "counts at home": "counts copied to the host",
};

/** Selects the cells of a basis. Older files have calls next to their kernels instead of rows of their own. */
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
  // Calls that were measured one by one replace those next to kernels.
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

/** Turns a row into a call. The ceiling of a row of kernels belongs to the kernels. */
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
    if (ratios.some(Boolean)) body.push([`Time of ${over[1]}, divided by ${over[0]}`, ...ratios]);
    const shares = columns.map((column) => at(ours!, column)?.row.ceilingPercent ?? null);
    if (shares.some((share) => share !== null))
      body.push([
        `${over[0]}: share of the ceiling`,
        ...shares.map((share) => (share === null ? "" : `${share.toFixed(1)}%`)),
      ]);
  }
  const named = columns.map((column) => (typeof column === "number" ? powerOf(column) : column));
  return cells.length === 0 ? [] : markdown([[heads, ...named], ...body]);
}

/** Lists µs by size, with the 99th percentile if it was measured. */
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

/** Lists calls per second by size. */
export function aSecond(of: Chosen): string[] {
  const cells = cellsOf({ distribution: "uniform", ...of });
  return grid(
    cells,
    { heads: "calls per second", across: ({ n }) => n, show: ({ us }) => figure(1e6 / us) },
    of.who,
  );
}

/** Lists µs or GB/s by distribution, at one size. */
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

/** Lists how many times as long `theirs` takes as `ours`, by distribution and size. Italics mark where `theirs` is faster. */
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
  return grid(both, { heads: `Time of ${theirs}, divided by ${ours}`, across: ({ n }) => n, show });
}

function powerOf(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) ? `2^${exponent}` : String(n);
}
