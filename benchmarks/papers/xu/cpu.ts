import type { Row } from "../../src/runner/row.ts";
import { median } from "../../src/runner/statistics.ts";
import type { Measured } from "../measured.ts";
import { digits } from "../readings/index.ts";

/** The file that `papers` writes for a CPU. */
const FILE = "papers-cpu";

/** Bytes per value by type: the paper's Table 3. */
const VALUE_BYTES: Readonly<Record<string, number>> = { u4: 0.5, u8: 1, u16: 2 };

export const bytesAValue = ({ type }: Row): number => VALUE_BYTES[type]!;

/** 10^9 documents per second, each counted for every feature. */
export const documentsASecond = ({ n, ms }: Row): number => n / median(ms) / 1e6;

/** Returns 10^9 documents per second of the plain loop on one thread, by the bytes per value (Table 4). */
export function documentsOf(measured: Measured): Map<number, number> {
  const rows = measured.cpu(FILE).filter(({ algorithm }) => algorithm === "weighted-sequential");
  return new Map(rows.map((row) => [bytesAValue(row), documentsASecond(row)]));
}

/** The part of a call that more threads do not shorten, by the times of one thread and of the most. */
export function serialPart(measured: Measured): string | null {
  const calls = measured
    .cpu(FILE)
    .filter(({ algorithm, type }) => algorithm === "weighted-fixed-point" && type === "u8");
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
