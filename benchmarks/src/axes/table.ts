import { callName, cellName, nameOf, powerName } from "../runner/names.ts";
import type { Results, Row, Spread } from "../runner/row.ts";
import { spreadsOf } from "../runner/spreads.ts";
import { median, throughput } from "../runner/statistics.ts";
import { bytesOf, type Data } from "./cell.ts";

/** One table: contestants in lines, values of one axis in columns, medians in GB/s unless `show` says otherwise. */
interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly across: (row: Row) => string;
  /** Name of a line. Default: its contestant. */
  readonly name?: (row: Row) => string;
  /** A further value at the end of a contestant's line. */
  readonly last?: (rows: readonly Row[]) => string;
  readonly show?: (row: Row) => string;
  readonly unit?: string;
}

const CENTRE = { type: "u8", bins: 256, residence: "resident" } as const;

/** Writes a run as text: the influence of the data, the lines through the axes, and the missing cells. */
export function textOf(results: Results): string {
  const { machine, commit, rows, missing } = results;
  const measured = rows.filter(({ peer }) => peer !== "read" && peer !== "copy");
  const called = measured.filter(({ call }) => call !== undefined);
  const plain = measured.filter(({ call }) => call === undefined);
  const tables = [...tablesOf(plain), callTable(called)].filter((table) => table.rows.length > 0);
  return [
    `${machine.gpu ?? machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${commit.slice(0, 12)}${commit.endsWith("-dirty") ? " with changes" : ""}`,
    ...devicesOf(measured),
    "",
    ...headline(spreadsOf(plain), plain),
    ...tables.flatMap(draw),
    ...others(measured.filter((row) => !tables.some(({ rows }) => rows.includes(row)))),
    ...(missing.length === 0 ? [] : ["Missing:", ...shortened(missing).map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

/** Lists devices that a backend's name does not reveal. */
function devicesOf(rows: readonly Row[]): string[] {
  const named = rows.flatMap(({ backend, peer, device }) =>
    device === undefined || ["cpu", "native", "piscina"].includes(backend ?? "")
      ? []
      : [`${peer ?? backend}: ${device}`],
  );
  return [...new Set(named)];
}

/** Lists how much each algorithm depends on the data. */
function headline(spreads: readonly Spread[], rows: readonly Row[]): string[] {
  const of = spreads
    .filter(({ type, residence, peer }) => type === "u8" && residence === "resident" && peer === null)
    .toSorted((a, b) => b.worstOverBest - a.worstOverBest);
  if (of.length === 0) return [];
  const names = of.map(nameOf);
  const count = (spread: Spread) =>
    rows.filter(
      (row) =>
        nameOf(row) === nameOf(spread) &&
        (["type", "bins", "n", "residence"] as const).every((field) => row[field] === spread[field]),
    ).length;
  const width = Math.max(...names.map(({ length }) => length));
  return [
    "Throughput on the worst over the best distribution, bytes in memory (1: the data make no difference)",
    ...of.map(({ worstOverBest, worst, best }, i) =>
      [
        `  ${names[i]!.padEnd(width)}  ${worstOverBest.toFixed(2)}`,
        `${count(of[i]!)} distributions: ${worst.distribution} ${speed(worst.gbps)} … ${best.distribution} ${speed(best.gbps)} GB/s`,
      ].join("   "),
    ),
    "",
  ];
}

function tablesOf(rows: readonly Row[]): Table[] {
  const bytes = rows.filter((row) => isBytes(row));
  const resident = bytes.filter(({ residence }) => residence === "resident");
  const uniform = rows.filter(({ distribution }) => distribution === "uniform");
  const spread = (of: readonly Row[]) => {
    const speeds = of.map(({ gbps }) => gbps);
    return of.length < 2 ? "" : (Math.min(...speeds) / Math.max(...speeds)).toFixed(2);
  };
  const byData = [...Map.groupBy(resident, ({ n }) => n)].filter(
    ([, of]) => new Set(of.map(({ distribution }) => distribution)).size > 1,
  );
  const sizes = uniform.filter(isBytes);
  // With several sizes, the table of sizes holds all uploads.
  const groups = [...Map.groupBy(sizes, ({ n }) => n)];
  const bySize = groups.filter(
    ([, of]) => groups.length === 1 || of.some(({ residence }) => residence === "file"),
  );
  const several = (of: readonly Row[], across: (row: Row) => unknown) =>
    [...Map.groupBy(of, nameOf).values()].filter((some) => new Set(some.map(across)).size > 1).flat();
  return [
    ...byData.map(([n, of]): Table => {
      const title = `Distributions: bytes in 256 bins, n = ${powerName(n)}`;
      const across = ({ distribution }: Row) => distribution;
      // A contestant with a single distribution appears next to those with all of them.
      const whole = new Set(of.map(across)).size > 2;
      return { title, rows: whole ? of : several(of, across), across, last: spread };
    }),
    ...(["resident", "upload"] as const).map((residence): Table => {
      const across = ({ n }: Row) => powerName(n);
      const of = sizes.filter((row) => row.residence === residence).toSorted((a, b) => a.n - b.n);
      return {
        title: `Sizes: uniform bytes in 256 bins, ${FROM[residence]}`,
        rows: several(of, across),
        across,
      };
    }),
    {
      title: "Sizes: uniform bytes in 256 bins, whole calls on a GPU's own memory",
      rows: several(
        sizes
          .filter(({ residence, callMs }) => residence === "resident" && callMs !== undefined)
          .map((row) => ({ ...row, gbps: throughput(bytesOf(row as Data), row.callMs!) }))
          .toSorted((a, b) => a.n - b.n),
        ({ n }) => n,
      ),
      across: ({ n }) => powerName(n),
    },
    ...bySize.map(([n, of]): Table => {
      const across = ({ residence }: Row) => residence;
      const title = `Data locations: uniform bytes in 256 bins, n = ${powerName(n)}`;
      return {
        title,
        rows: several(
          of.toSorted((a, b) => order(a) - order(b)),
          across,
        ),
        across,
      };
    }),
    {
      title: "Types: uniform, 256 bins",
      rows: uniform.filter(
        ({ bins, type, residence }) => bins === 256 && type !== "u8" && residence === "resident",
      ),
      across: ({ type }) => type,
    },
    {
      title: "Bins: uniform 16-bit samples",
      rows: uniform
        .filter(({ type, residence }) => type === "u16" && residence === "resident")
        .toSorted((a, b) => a.bins - b.bins),
      across: ({ bins }) => String(bins),
    },
    {
      title: "trish, uniform bytes",
      rows: sizes.filter(({ variant }) => variant?.startsWith("k=")),
      across: ({ variant }) => variant!,
      name: ({ variant: _k, ...row }) => nameOf(row),
    },
  ];
}

/** Makes the table of calls that were measured one by one. */
function callTable(rows: readonly Row[]): Table {
  return {
    title: "Calls: uniform bytes in 256 bins, from the call until the counts are on the host",
    unit: "µs, median (99th percentile)",
    rows: rows.toSorted((a, b) => a.n - b.n),
    across: ({ n }) => powerName(n),
    name: (row) => `${nameOf(row)}, ${callName(row)}`,
    show: ({ ms, p99 }) => `${speed(median(ms) * 1000)} (${speed(p99! * 1000)})`,
  };
}

const FROM = {
  resident: "in memory (on GPUs: kernels alone for ours, whole calls for other programs)",
  upload: "whole calls from host memory",
};

function order({ residence }: Row): number {
  return ["resident", "upload", "file"].indexOf(residence);
}

function isBytes({ type, bins, residence }: Row): boolean {
  return type === CENTRE.type && bins === CENTRE.bins && residence !== undefined;
}

/** Lists cells that are in no table. */
function others(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const names = rows.map(cellName);
  const width = Math.max(...names.map(({ length }) => length));
  return [
    "Other cells: medians in GB/s",
    ...rows.map((row, i) => `  ${names[i]!.padEnd(width)}  ${speed(row.gbps)}`),
    "",
  ];
}

const CELL = 9;

function draw({ title, rows, across, name: lineName = nameOf, last, show, unit }: Table): string[] {
  const shown = show ?? ((row: Row) => speed(row.gbps));
  const columns = [...new Set(rows.map(across))];
  const lines = [...Map.groupBy(rows, lineName)].toSorted(([, a], [, b]) => top(b) - top(a));
  const width = Math.max(...lines.map(([name]) => name.length));
  const cellWidth = Math.max(CELL, ...(show ? rows.map((row) => show(row).length + 2) : []));
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(cellWidth)).join("")}`.trimEnd();
  return [
    `${title}: ${unit ?? "medians in GB/s"}`,
    line(
      "",
      [...columns, ...(last ? ["worst/best"] : [])].map((name) => ` ${name}`),
    ),
    ...lines.map(([name, of]) =>
      line(name, [
        ...columns.map((column) => {
          const row = of.find((one) => across(one) === column);
          return row === undefined ? "-" : shown(row);
        }),
        ...(last ? [last(of)] : []),
      ]),
    ),
    "",
  ];
}

function top(rows: readonly Row[]): number {
  return median(rows.map(({ gbps }) => gbps));
}

/** Writes three significant digits. */
function speed(gbps: number): string {
  return gbps >= 100 ? gbps.toFixed(0) : gbps.toPrecision(3);
}

const MOST_LINES = 24;

/** Joins missing cells with the same reason in one line. Beyond a screenful it refers to the file. */
function shortened(missing: readonly string[]): string[] {
  const groups = Map.groupBy(missing, (line) => {
    const [who, ...rest] = line.split(": ");
    return rest.length < 2 ? line : JSON.stringify([who, rest.at(-1)]);
  });
  const lines = [...groups].map(([key, of]) => {
    if (of.length === 1) return of[0]!;
    const [who, why] = JSON.parse(key) as [string, string];
    return `${who}: ${of.length} cells: ${why}`;
  });
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), `and ${rest} more: see "missing" in the file`];
}
