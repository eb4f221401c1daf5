import { broken } from "./bytes.ts";
import { exactSum, totalOf } from "./cells.ts";
import { checkGroups, checkStrings, unitsOf } from "./merge.ts";
import {
  type ColumnExtent,
  type Counts,
  compareGroups,
  type Payload,
  type ProfilePayload,
} from "./payload.ts";

/**
 * Checks the numbers of a payload against each other: the samples of each column add up to its rows, and groups and
 * strings ascend.
 * @throws ERR_INPUT, ERR_LIMIT
 */
export function checkPayload(payload: Payload): Payload {
  if (payload.count === "extent") for (const extent of payload.extents) checkExtent(extent);
  if (payload.count === "profile") checkFiles(payload);
  if ("columns" in payload) for (const counts of payload.columns) checkCounts(counts, payload.rows);
  return payload;
}

function checkFiles({ files, rows }: ProfilePayload): void {
  if (files.some(([file], i) => i > 0 && files[i - 1]![0] >= file)) throw broken("its files do not ascend");
  const total = files.reduce((sum, [, own]) => exactSum(sum, own), 0);
  if (total !== rows) throw broken(`its files have ${total} rows and it has ${rows}`);
}

function checkExtent({ min, max }: ColumnExtent): void {
  const isEmpty = min === Infinity && max === -Infinity;
  const isAlike = typeof min === typeof max;
  if (!isEmpty && !(isAlike && isEnd(min) && isEnd(max) && min <= max))
    throw broken(`it has a range of [${min}, ${max}]`);
}

/** Whether a value is a finite number, or an integer of 64 bits. */
function isEnd(value: number | bigint): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === BigInt.asIntN(BITS, value) || value === BigInt.asUintN(BITS, value);
}

const BITS = 64;

function checkCounts({ strings, rows }: Counts, expectedRows: number): void {
  if (strings !== null) {
    checkStrings(strings.length, unitsOf(strings));
    if (strings.some((text, i) => i > 0 && !(strings[i - 1]! < text)))
      throw broken("its strings do not ascend");
  }
  checkGroups(rows.length);
  let total = 0;
  for (const [i, { group, cells }] of rows.entries()) {
    if (i > 0 && compareGroups(rows[i - 1]!.group, group) >= 0) throw broken("its groups do not ascend");
    if (strings !== null && (cells.cells.at(-1) ?? 0) > strings.length)
      throw broken("it counts a string that it does not have");
    if (cells.cells.some((cell, j) => j > 0 && cells.cells[j - 1]! >= cell))
      throw broken("its cells do not ascend");
    if (cells.counts.some((count) => !(Number.isSafeInteger(count) && count > 0)))
      throw broken("it has a count below 1");
    total += totalOf(cells);
  }
  if (total !== expectedRows) throw broken(`its counts add up to ${total} and it has ${expectedRows} rows`);
}
