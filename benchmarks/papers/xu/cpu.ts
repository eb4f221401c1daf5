import type { Row, Weighted } from "../../src/runner/row.ts";
import type { Measured } from "../measured.ts";

/** The file that `papers` writes for a CPU. */
const FILE = "papers-cpu";

/** Bytes per value by type: the paper's Table 3. */
export const VALUE_BYTES: Readonly<Record<string, number>> = { u4: 0.5, u8: 1, u16: 2 };

/** Says which loops are compared. */
export const CPU_NOTE =
  "The paper's CPU program is C++, compiled with -O2. Ours is the JavaScript loop of the method `weighted-sequential`.";

/** Returns the rows of Table 4: the loop over one type's values, by threads. */
export function loops(measured: Measured): (Row & { readonly weighted: Weighted })[] {
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
