import type { Engine } from "@polybin/core";
import { freeing, type Table } from "../../table/index.ts";
import type { ProfileProgress } from "../options.ts";
import type { PassPlan } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { batchesFor } from "./batches.ts";
import { PassCounting } from "./counting.ts";
import type { KeptColumns } from "./kept.ts";

/** The inputs of a pass in addition to its plan. */
export interface Pass {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: Omit<ProfileProgress, "pass">) => void;
  readonly kept: KeptColumns;
  /** Threads that add up columns. */
  readonly threads: number | undefined;
  /** Receives the rows of each table. */
  readonly rows?: number[];
  /** The columns to read. Default: all of the plan. The others have been kept. */
  readonly again?: ReadonlySet<string>;
}

/** Runs one pass over all tables. While the engine counts a batch, the next one is decoded. */
export async function runPass(
  engine: Engine,
  tables: readonly Table[],
  plan: PassPlan,
  pass: Pass,
): Promise<ProfilePartial> {
  const { signal, again, kept, rows } = pass;
  const values = again === undefined ? valuesIn(tables, plan) : 0;
  const counting = await PassCounting.open(engine, plan, { threads: pass.threads, values });
  let running: Promise<void> = Promise.resolve();
  try {
    if (again !== undefined) await kept.addTo(counting, plan, again, signal);
    let [doneRows, doneBytes] = [0, 0];
    const totals = {
      totalRows: sumOf(tables.map((table) => table.rows)),
      totalBytes: sumOf(tables.map(bytesOf)),
    };
    for (const [i, table] of tables.entries()) {
      const names = plan.columns.map(({ name }) => name).filter((name) => again?.has(name) ?? true);
      const columns = names.filter((name) => table.columns.some((column) => column.name === name));
      if (columns.length === 0 && again !== undefined) continue;
      let last = { rows: 0, bytes: 0 };
      const free = freeing(table);
      const onProgress = (progress: typeof last): void => {
        last = progress;
        pass.onProgress({ rows: doneRows + last.rows, bytes: doneBytes + last.bytes, ...totals });
      };
      const sampling = { file: i, see: (seen: number) => counting.see(seen) };
      const read = batchesFor(table, plan, { columns, signal, onProgress }, sampling);
      for await (const batch of read) {
        await running;
        const keep = again === undefined ? { keep: kept.keep } : {};
        running = counting.add(batch, { signal, ...keep }).then(() => free(kept.without(batch)));
        running.catch(() => {});
        if (rows !== undefined) rows[i]! += batch.rows;
      }
      await running;
      doneRows += last.rows;
      doneBytes += last.bytes;
    }
    return await counting.take();
  } finally {
    await running.catch(() => {});
    await counting.close();
  }
}

/** Bytes of a value in a file of text, about. */
const VALUE_BYTES = 8;

/** The number of values that a plan counts in tables, about. 0 for those of unknown size. */
function valuesIn(tables: readonly Table[], { columns }: PassPlan): number {
  const each = tables.map((table) => {
    const { rows } = table;
    return rows === null ? (bytesOf(table) ?? 0) / VALUE_BYTES : rows * columns.length;
  });
  return each.reduce((sum, values) => sum + values, 0);
}

/** Bytes of a table's parts: those that reading all of its columns takes. Null if it has no parts. */
export function bytesOf({ parts }: Table): number | null {
  return parts?.reduce((sum, part) => sum + part.bytes, 0) ?? null;
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.includes(null) ? null : numbers.reduce<number>((sum, number) => sum + number!, 0);
}
