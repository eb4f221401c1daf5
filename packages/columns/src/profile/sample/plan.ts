import { PolybinError } from "@polybin/core";
import { canReread, type Table } from "../../table/index.ts";
import type { SamplePlan } from "../partial/plan.ts";
import { RowHashes } from "./chosen.ts";

/** A sample of rows: this number of them, or this share. */
export interface SampleRequest {
  /** Rows of all tables together. Fewer rows are all taken. */
  readonly rows?: number | undefined;
  /** The share of the rows, above 0 and up to 1. Each row is in the sample with this probability. */
  readonly share?: number | undefined;
  /** Another seed gives other rows. Default: 0. */
  readonly seed?: number | undefined;
}

/** How a sample is planned. */
export interface SamplePlanning {
  readonly signal: AbortSignal | undefined;
  /** Whether tables may be read to count their rows. */
  readonly canRead: boolean;
}

/** The rows of a part, or of a table without parts. */
interface Stretch {
  readonly file: number;
  readonly part: number | null;
  readonly rows: number;
}

/** Hashes are first counted by their upper bits. */
const BUCKET_BITS = 16;

/**
 * Finds the bound below which the hashes of the chosen rows lie. For a number of rows, that is one hash above the smallest
 * ones, which form a simple random sample.
 * @throws ERR_LIMIT if the number of rows is unknown and tables may not be read for it.
 */
export async function samplePlanOf(
  tables: readonly Table[],
  { rows, share, seed = 0 }: SampleRequest,
  planning: SamplePlanning,
): Promise<SamplePlan> {
  if (rows === undefined) return { seed, below: share! };
  const stretches: Stretch[] = [];
  for (const [file, table] of tables.entries()) stretches.push(...(await stretchesOf(table, file, planning)));
  const all = stretches.reduce((sum, stretch) => sum + stretch.rows, 0);
  return { seed, below: rows >= all ? 1 : boundOf(stretches, rows, seed) };
}

/** Whether the rows of tables are counted before a sample is chosen. */
export function countsRows(tables: readonly Table[], { rows }: SampleRequest): boolean {
  return rows !== undefined && !tables.every(statesRows);
}

const statesRows = ({ parts }: Table): boolean => parts?.every(({ rows }) => rows !== null) ?? false;

async function stretchesOf(
  table: Table,
  file: number,
  { signal, canRead }: SamplePlanning,
): Promise<readonly Stretch[]> {
  const { parts, name } = table;
  if (statesRows(table)) {
    return parts!.map(({ index, rows }) => ({ file, part: index, rows: rows! }));
  }
  if (!canRead || !canReread(table)) {
    throw new PolybinError(
      "ERR_LIMIT",
      `${name}: expected a share of the rows for sample, because this table does not state its number of rows` +
        (canRead ? " and can be read only once" : ""),
    );
  }
  const found = new Map<number | null, number>();
  const first = table.columns.find(({ type }) => type.kind !== "refused");
  for await (const { part, rows } of table.read({ columns: first === undefined ? [] : [first.name], signal }))
    found.set(part, (found.get(part) ?? 0) + rows);
  return Array.from(found, ([part, rows]) => ({ file, part, rows }));
}

/** The hash of the rank `rank`, from 0 on. */
function boundOf(stretches: readonly Stretch[], rank: number, seed: number): number {
  const counts = new Float64Array(2 ** BUCKET_BITS);
  const shift = 32 - BUCKET_BITS;
  for (const { file, part, rows } of stretches) {
    const hashes = new RowHashes(seed, file, part);
    for (let row = 0; row < rows; row++) counts[hashes.upper(row) >>> shift]!++;
  }
  let [bucket, before] = [0, 0];
  while (before + counts[bucket]! <= rank) before += counts[bucket++]!;
  const held: number[] = [];
  for (const { file, part, rows } of stretches) {
    const hashes = new RowHashes(seed, file, part);
    for (let row = 0; row < rows; row++) {
      if (hashes.upper(row) >>> shift === bucket) held.push(hashes.hash(row));
    }
  }
  return held.sort((a, b) => a - b)[rank - before]!;
}
