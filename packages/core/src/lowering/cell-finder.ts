import { BYTE_VALUES, FLOW_ROWS } from "../base/index.ts";
import { bitsOf, SAMPLE_TRAITS } from "../input/index.ts";
import { type CellColumn, type CellFinder, codesOfPlaces, plainCellFinder } from "./cells.ts";
import { directFinder } from "./direct.ts";
import type { Thresholds } from "./guess.ts";
import { valueOfKey } from "./keys.ts";
import { type KeysLowering, type Lowering, NAN, OVERFLOW, UNDERFLOW } from "./lowering.ts";
import { thresholdFinder } from "./thresholds.ts";

/** The finders of the columns of plans, which are kept with their jobs. */
const known = new WeakMap<CellColumn, { readonly lowering: Lowering; readonly find: CellFinder }>();

/**
 * Returns a fast loop that finds the same cells as `plainCellFinder`. Everything that the samples do not decide is
 * computed once: bytes and 16-bit samples look up their part, and other samples compare values instead of keys.
 */
export function cellFinder(column: CellColumn, lowering: Lowering): CellFinder {
  let kept = known.get(column);
  if (kept?.lowering !== lowering) {
    kept = { lowering, find: newFinder(column, lowering) };
    known.set(column, kept);
  }
  return kept.find;
}

function newFinder(column: CellColumn, lowering: Lowering): CellFinder {
  const { type } = lowering;
  const { bytes, integer } = SAMPLE_TRAITS[type];
  if (column.by === "raw") {
    const parts = Uint32Array.from(
      { length: BYTE_VALUES },
      (_, bits) => (bits >> column.shift!) * column.stride,
    );
    return byTable(parts);
  }
  const parts = partsOfCodes(column, lowering);
  if (lowering.kind === "table") return byTable(lowering.table.map((code) => parts[code]!));
  if (lowering.kind === "direct") return directFinder(lowering, parts);
  // Doubles hold every value of these types.
  if (lowering.kind === "keys" && (bytes === 4 || !integer)) {
    return thresholdFinder(rowsOf(lowering, parts));
  }
  return plainCellFinder(column, lowering);
}

/** Returns a column's part in the cell for each code. */
function partsOfCodes(column: CellColumn, lowering: Lowering): Uint32Array {
  const parts = new Uint32Array(lowering.bins + FLOW_ROWS);
  codesOfPlaces(column, lowering).forEach((code, place) => {
    parts[code] = place * column.stride;
  });
  return parts;
}

/** The part of each bit pattern. */
function byTable(parts: Uint32Array): CellFinder {
  return (array, first, step, cells) => {
    const bits = bitsOf(array);
    return bits.BYTES_PER_ELEMENT === 1
      ? addBytes(parts, bits as Uint8Array, first, step, cells)
      : addHalves(parts, bits as Uint16Array, first, step, cells);
  };
}

// Two functions, because a loop that always sees the same type of array is several times as fast.

function addBytes(
  parts: Uint32Array,
  bits: Uint8Array,
  first: number,
  step: number,
  cells: Uint32Array,
): number {
  let count = 0;
  for (let i = first; i < bits.length; i += step) cells[count++]! += parts[bits[i]!]!;
  return count;
}

function addHalves(
  parts: Uint32Array,
  bits: Uint16Array,
  first: number,
  step: number,
  cells: Uint32Array,
): number {
  let count = 0;
  for (let i = first; i < bits.length; i += step) cells[count++]! += parts[bits[i]!]!;
  return count;
}

function rowsOf(
  { type, bins, thresholds, thresholdsHigh, words, last }: KeysLowering,
  parts: Uint32Array,
): Thresholds {
  const keys = Array.from(thresholds, (low, i) => joined(low, thresholdsHigh?.[i] ?? 0));
  const end = joined(last.low, last.high);
  const top = words === 2 ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  if (keys.length === bins && end < top) keys.push(end + 1n);
  const values = keys.map((key) => valueOfKey(type, key));
  // No sample reaches a value past infinity.
  const count = Number.isNaN(values.at(-1)) ? values.length - 1 : values.length;
  const own = Uint32Array.of(
    parts[bins + NAN]!,
    parts[bins + UNDERFLOW]!,
    ...parts.subarray(0, bins),
    parts[bins + OVERFLOW]!,
  );
  return { thresholds: Float64Array.from(values.slice(0, count)), parts: own };
}

function joined(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
