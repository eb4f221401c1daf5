import { powerName } from "../runner/names.ts";
import { labelOf, type Row } from "../runner/row.ts";
import { median } from "../runner/statistics.ts";
import { figure, markdown } from "./markdown.ts";

/** Which rows of a file stand in a table. */
export interface Chosen {
  readonly rows: readonly Row[];
  readonly residence: Row["residence"];
  readonly type?: string;
}

/** Microseconds of one call. */
const us = ({ ms }: Row): number => median(ms) * 1000;

/** A whole call of a file's rows: those that name one, and what stood beside kernels before there were such. */
function callsIn({ rows, residence, type = "u8" }: Chosen): Row[] {
  const of = rows.filter(
    (row) => row.residence === residence && row.type === type && row.bins === 256 && row.exact,
  );
  const named = of.filter(({ call }) => call !== undefined);
  if (named.length > 0) return named;
  return of.filter(({ callMs }) => callMs !== undefined).map((row) => ({ ...row, ms: row.callMs! }));
}

/** Who: ours by the way it is called, a peer by its name. */
function who(row: Row): string {
  if (row.peer === null) {
    const { call, inFlight, memory, threads } = row;
    const at =
      inFlight === undefined ? "" : call === "countAll" ? ` of ${inFlight}` : `, ${inFlight} in flight`;
    const of = [memory, threads === undefined ? "" : `${threads} thread${threads === 1 ? "" : "s"}`];
    return [`**${row.backend}** ${call ?? row.algorithm}${at}`, ...of].filter(Boolean).join(", ");
  }
  const { call: _call, inFlight: _inFlight, ...rest } = row;
  return labelOf(rest);
}

/** Contestants down, sizes across: µs of a call, median (99th percentile). */
export function bySize(of: Chosen, distribution = "uniform"): string[] {
  const rows = callsIn(of).filter((row) => row.distribution === distribution);
  const sizes = [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);
  const lines = [...Map.groupBy(rows, who)].map(([name, its]) => [
    name,
    ...sizes.map((n) => {
      const row = its.find((one) => one.n === n);
      return row === undefined
        ? ""
        : `${figure(us(row))}${row.p99 === undefined ? "" : ` (${figure(row.p99 * 1000)})`}`;
    }),
  ]);
  return rows.length === 0 ? [] : markdown([["µs a call", ...sizes.map(sizeName)], ...lines]);
}

/** Contestants down, sizes across: calls a second, by how many are on their way. */
export function aSecond(of: Chosen, most: number = 2 ** 24): string[] {
  const rows = callsIn(of).filter(
    ({ distribution, n, peer }) => distribution === "uniform" && n <= most && peer === null,
  );
  const sizes = [...new Set(rows.map(({ n }) => n))].sort((a, b) => a - b);
  const lines = [...Map.groupBy(rows, who)].map(([name, its]) => [
    name,
    ...sizes.map((n) => {
      const row = its.find((one) => one.n === n);
      return row === undefined ? "" : figure(1000 / median(row.ms));
    }),
  ]);
  return rows.length === 0 ? [] : markdown([["calls a second", ...sizes.map(sizeName)], ...lines]);
}

/** Is it a kernel's time, ours or a peer's? */
function kernelsIn({ rows, residence, type = "u8" }: Chosen): Row[] {
  return rows.filter(
    (row) =>
      row.call === undefined &&
      row.residence === residence &&
      row.type === type &&
      row.bins === 256 &&
      (row.peer === "cub" ||
        (row.peer === null && row.algorithm === "per-lane" && row.variant !== "whole call")),
  );
}

/** Distributions down, sizes across: how many times as long the peer takes; below 1 it is the faster one. */
function overPeer(ours: readonly Row[], theirs: readonly Row[], heads: string): string[] {
  const key = ({ n, distribution }: Row) => `${distribution},${n}`;
  const peers = new Map(theirs.map((row) => [key(row), row]));
  const both = ours.filter((row) => peers.has(key(row)));
  const sizes = [...new Set(both.map(({ n }) => n))].sort((a, b) => a - b);
  const lines = [...Map.groupBy(both, ({ distribution }) => distribution)].map(([name, its]) => [
    name,
    ...sizes.map((n) => {
      const row = its.find((one) => one.n === n);
      if (row === undefined) return "";
      const [mine, other] = [us(row), us(peers.get(key(row))!)];
      const ratio = other / mine;
      const text = `${figure(mine)} : ${figure(other)} = ${ratio.toFixed(2)}`;
      return ratio < 1 ? `*${text}*` : text;
    }),
  ]);
  return both.length === 0 ? [] : markdown([[heads, ...sizes.map(sizeName)], ...lines]);
}

/** Kernels against kernels: ours, CUB's, and how many times as long CUB's takes. */
export function kernelsOverCub(of: Chosen): string[] {
  const rows = kernelsIn(of);
  return overPeer(
    rows.filter(({ peer, backend }) => peer === null && backend === "cuda"),
    rows.filter(({ peer }) => peer === "cub"),
    "µs of the kernels",
  );
}

/** Calls against calls: ours in one way, and CUB's from C++ in one of its two. */
export function callsOverCub(of: Chosen, call: Row["call"], variant: string): string[] {
  const rows = callsIn(of);
  return overPeer(
    rows.filter((row) => row.peer === null && row.call === call && row.inFlight === undefined),
    rows.filter((row) => row.peer === "cub" && row.variant === variant),
    `µs a call, ${call}`,
  );
}

function sizeName(n: number): string {
  const exponent = Math.log2(n);
  return Number.isInteger(exponent) ? `2^${exponent}` : powerName(n);
}
