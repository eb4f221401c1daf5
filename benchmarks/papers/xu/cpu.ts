import type { Row, Weighted } from "../../src/runner/row.ts";
import { median } from "../../src/runner/statistics.ts";
import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits } from "../readings/index.ts";

/** The file that `papers` writes for a CPU. */
const FILE = "papers-cpu";

/** Bytes per value by type: the paper's Table 3. */
export const VALUE_BYTES: Readonly<Record<string, number>> = { u4: 0.5, u8: 1, u16: 2 };

/** Returns the rows of Table 4: the loop over one type's values, by threads. */
function loops(measured: Measured): (Row & { readonly weighted: Weighted })[] {
  return measured
    .cpu(FILE)
    .filter(
      (row): row is Row & { weighted: Weighted } => row.weighted?.figures?.includes("Table 4") ?? false,
    );
}

/** Returns 10^9 documents per second of the plain loop on one thread, by the bytes per value. */
export function documentsOf(measured: Measured): Map<number, number> {
  return new Map(
    loops(measured)
      .filter(({ algorithm }) => algorithm === "weighted-sequential")
      .map(({ type, valuesPerSecond }) => [VALUE_BYTES[type]!, valuesPerSecond! / 1e9]),
  );
}

const [CPU, POOL] = ["CPU, Table 4 (here: JavaScript)", "a pool of workers (ours)"] as const;

/** Table 4: documents per second of the plain loop, and of a pool with one worker. */
export function documentsOnCpu(measured: Measured): Point[] {
  const one = onPool(measured).filter(({ threads }) => threads === 1);
  return [
    ...[...documentsOf(measured)].map(([x, y]) => ({ series: CPU, x, y })),
    ...one.map(({ type, valuesPerSecond }) => ({
      series: "one worker (ours)",
      x: VALUE_BYTES[type]!,
      y: valuesPerSecond! / 1e9,
    })),
  ];
}

export function bytesOnCpu(measured: Measured): Point[] {
  return [...documentsOf(measured)].map(([x, y]) => ({ series: CPU, x, y: x * y }));
}

export function poolByThreads(measured: Measured): Point[] {
  const bytes = onPool(measured).filter(({ type }) => type === "u8");
  return bytes.map(({ threads, valuesPerSecond }) => ({
    series: POOL,
    x: threads!,
    y: valuesPerSecond! / 1e9,
  }));
}

const onPool = (measured: Measured) => loops(measured).filter(({ backend }) => backend === "piscina");

/** The part of a call that more threads do not shorten, by the times of one thread and of the most. */
export function serialPart(measured: Measured): string | null {
  const calls = onPool(measured).filter(({ type }) => type === "u8");
  const [one, most] = [
    calls.find(({ threads }) => threads === 1),
    calls.toSorted((a, b) => (a.threads ?? 1) - (b.threads ?? 1)).at(-1),
  ];
  const threads = most?.threads ?? 1;
  if (one === undefined || most === undefined || threads === 1) return null;
  const [alone, together] = [one, most].map(({ ms }) => median(ms)) as [number, number];
  const serial = (threads * together - alone) / (threads - 1);
  return `A call takes ${digits(alone)} ms with one thread and ${digits(together)} ms with ${threads}. So ${digits(serial)} ms of it do not become shorter with more threads (computed from both times). What takes them is not measured.`;
}
