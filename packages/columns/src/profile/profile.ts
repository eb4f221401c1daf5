import type { Engine } from "@polybin/core";
import { PolybinError } from "@polybin/core";
import { canReread, type Table } from "../table/index.ts";
import type { FileJson, ProfileJson } from "./json.ts";
import { DISTINCT_LEAST, DISTINCT_LIMIT, DISTINCT_TOTAL } from "./limits.ts";
import { checkedProfileOptions, type ProfileOptions, type ProfileProgress } from "./options.ts";
import type { PassPlan } from "./partial/plan.ts";
import type { ProfilePartial } from "./partial/profile-partial.ts";
import { batchesFor } from "./pass/batches.ts";
import { checkNumbers, columnsOf } from "./pass/columns.ts";
import { PassCounting } from "./pass/counting.ts";
import { KeptColumns } from "./pass/kept.ts";
import { knownExtents } from "./pass/known-extents.ts";
import { firstPass, nextPass, type ProfileRequest } from "./pass/plans.ts";
import { onReadable } from "./pass/readable.ts";
import { profileJson } from "./result/profile-json.ts";

/**
 * Profiles all columns of tables together: counts, nulls, different values, extent, moments, quantiles, histograms, and
 * joint pictures of chosen pairs. Columns of the same name in several tables are one column.
 *
 * The tables are read once if their statistics or `ranges` give the range of every column, or if the other columns fit
 * `keepBytes`. Otherwise a second pass reads the columns that need it. Memory stays bounded for any number of rows.
 *
 * A column that cannot be read does not stop the others: its type says why, and its nulls are those that the files state.
 *
 * @throws ERR_INPUT for options, columns that do not exist, or one column with two types.
 * @throws ERR_LIMIT if a stream, which can be read only once, would have to be read again.
 */
export async function profile(
  engine: Engine,
  tables: readonly Table[],
  options: ProfileOptions = {},
): Promise<ProfileJson> {
  const start = performance.now();
  const {
    request: asked,
    columns: names,
    top,
    keepBytes,
    signal,
    onProgress,
  } = checkedProfileOptions(options);
  if (tables.length === 0)
    throw new PolybinError("ERR_INPUT", "expected at least one table but received none");
  const all = columnsOf(tables, names, asked);
  const request = requestFor(options, asked, all.length);
  const passMs: number[] = [];
  const report = (pass: number) => (progress: Omit<ProfileProgress, "pass">) =>
    onProgress?.({ pass, ...progress });

  const { columns, kept, rows, first } = await onReadable(tables, all, signal, async (columns) => {
    checkNumbers(columns, asked);
    const plan = firstPass(columns, knownExtents(tables, columns), request);
    const kept = new KeptColumns(plan, keepBytes);
    const rows = tables.map(() => 0);
    const pass = { signal, onProgress: report(1), kept, rows };
    const first = await timed(passMs, () => runPass(engine, tables, plan, pass));
    return { columns, kept, rows, first };
  });
  const next = nextPass(first, request);
  const passes = [first];
  let reads = 1;
  if (next !== null) {
    const again = new Set(next.columns.map(({ name }) => name).filter((name) => !kept.serves(name, next)));
    if (again.size > 0) {
      checkReadable(tables, again);
      reads = 2;
    }
    passes.push(
      await timed(passMs, () =>
        runPass(engine, tables, next, { signal, onProgress: report(2), again, kept }),
      ),
    );
  }
  const files = tables.map(
    ({ name, format }, i): FileJson => ({ name, format, rows: rows[i]!, bytes: bytesOf(tables[i]!) }),
  );
  const timings = { totalMs: performance.now() - start, passMs };
  return profileJson({ passes, columns, tables, files, engine, reads, timings, top });
}

/** The request for this number of columns, which decides the default of `distinctLimit`. */
export function requestFor(
  { distinctLimit }: Pick<ProfileOptions, "distinctLimit">,
  asked: ProfileRequest,
  columns: number,
): ProfileRequest {
  if (distinctLimit !== undefined) return asked;
  const limit = Math.max(DISTINCT_LEAST, Math.floor(DISTINCT_TOTAL / columns));
  return { ...asked, distinctLimit: Math.min(DISTINCT_LIMIT, limit) };
}

interface Pass {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (progress: Omit<ProfileProgress, "pass">) => void;
  readonly kept: KeptColumns;
  /** Receives the rows of each table. */
  readonly rows?: number[];
  /** The columns to read. Default: all of the plan. The others have been kept. */
  readonly again?: ReadonlySet<string>;
}

/** Runs one pass over all tables. While the engine counts a batch, the next one is decoded. */
async function runPass(
  engine: Engine,
  tables: readonly Table[],
  plan: PassPlan,
  pass: Pass,
): Promise<ProfilePartial> {
  const { signal, again, kept, rows } = pass;
  const counting = await PassCounting.open(engine, plan);
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
      const read = batchesFor(table, plan, {
        columns,
        signal,
        onProgress: (progress) => {
          last = progress;
          pass.onProgress({ rows: doneRows + last.rows, bytes: doneBytes + last.bytes, ...totals });
        },
      });
      for await (const batch of read) {
        await running;
        running = counting.add(batch, { signal, ...(again === undefined ? { keep: kept.keep } : {}) });
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

/** @throws ERR_LIMIT if a table can be read only once. */
function checkReadable(tables: readonly Table[], again: ReadonlySet<string>): void {
  const stream = tables.find((table) => !canReread(table));
  if (stream === undefined) return;
  const name = [...again][0];
  throw new PolybinError(
    "ERR_LIMIT",
    `${stream.name}: expected the range of column ${JSON.stringify(name)}, or memory for its values, because this table can be read ` +
      "only once; pass ranges, or a larger keepBytes",
  );
}

/** Bytes of a table's parts: those that reading all of its columns takes. Null if it has no parts. */
export function bytesOf({ parts }: Table): number | null {
  return parts?.reduce((sum, part) => sum + part.bytes, 0) ?? null;
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.includes(null) ? null : numbers.reduce<number>((sum, number) => sum + number!, 0);
}

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
}
