import type { Engine } from "@polybin/core";
import { PolybinError } from "@polybin/core";
import { type ColumnInfo, canReread, type Table } from "../table/index.ts";
import type { FileJson, ProfileJson } from "./json.ts";
import { DISTINCT_LEAST, DISTINCT_LIMIT, DISTINCT_TOTAL } from "./limits.ts";
import {
  type CheckedOptions,
  checkedProfileOptions,
  type ProfileOptions,
  type ProfileProgress,
} from "./options.ts";
import type { ProfilePartial } from "./partial/profile-partial.ts";
import { checkNumbers } from "./pass/columns.ts";
import { KeptColumns } from "./pass/kept.ts";
import { columnsOnSides, extentsOnSides, momentsOnSides } from "./pass/on-sides.ts";
import { planAfter } from "./pass/pair-plans.ts";
import { firstPass, type KnownExtents, type ProfileRequest } from "./pass/plans.ts";
import { onReadable } from "./pass/readable.ts";
import { bytesOf, runPass } from "./pass/run.ts";
import { profileJson } from "./result/profile-json.ts";
import { countsRows, samplePlanOf } from "./sample/plan.ts";

/** The profile of tables, and the counts that it comes from. */
export interface CountedSide {
  readonly profile: ProfileJson;
  /** The counts of each pass, the first pass first. */
  readonly passes: readonly ProfilePartial[];
}

/** A side after its first pass. */
interface Begun {
  readonly tables: readonly Table[];
  readonly columns: readonly ColumnInfo[];
  readonly request: ProfileRequest;
  readonly kept: KeptColumns;
  readonly rows: readonly number[];
  readonly first: ProfilePartial;
  /** How often the tables were read. */
  readonly reads: number;
  readonly passMs: number[];
  readonly ms: number;
}

/** Receives the progress of one pass. */
type OnPass = (progress: Omit<ProfileProgress, "pass">) => void;

/**
 * Profiles several sets of tables, each on its own. A column that all of them have with one type is counted over the same
 * bins on every side.
 * @throws as `profile`
 */
export async function countSides(
  engine: Engine,
  sides: readonly (readonly Table[])[],
  options: ProfileOptions,
): Promise<CountedSide[]> {
  const checked = checkedProfileOptions(options);
  if (sides.some((tables) => tables.length === 0))
    throw new PolybinError("ERR_INPUT", "expected at least one table but received none");
  const { onProgress } = checked;
  let pass = 0;
  const report = (): OnPass => {
    const number = ++pass;
    return (progress) => onProgress?.({ pass: number, ...progress });
  };
  const all = columnsOnSides(sides, checked.columns, checked.request);
  const begun: Begun[] = [];
  for (const [i, tables] of sides.entries()) {
    const known = (columns: readonly ColumnInfo[]): KnownExtents =>
      extentsOnSides(sides, all, tables, columns);
    const request = requestFor(options, checked.request, all[i]!.length);
    const keepBytes = Math.floor(checked.keepBytes / sides.length);
    const how = { ...checked, request, keepBytes, onPass: report() };
    begun.push(await begin(engine, tables, all[i]!, known, how));
  }
  const ended: CountedSide[] = [];
  for (const side of begun) ended.push(await end(engine, side, begun, checked, report));
  return ended;
}

async function begin(
  engine: Engine,
  tables: readonly Table[],
  all: readonly ColumnInfo[],
  known: (columns: readonly ColumnInfo[]) => KnownExtents,
  {
    request,
    sample,
    keepBytes,
    threads,
    signal,
    onPass: onProgress,
  }: CheckedOptions & { readonly onPass: OnPass },
): Promise<Begun> {
  const start = performance.now();
  const passMs: number[] = [];
  const found = await onReadable(tables, all, signal, async (columns) => {
    checkNumbers(columns, request);
    const chosen =
      sample === undefined ? null : await samplePlanOf(tables, sample, { signal, canRead: true });
    const plan = firstPass(columns, known(columns), request, chosen);
    const kept = new KeptColumns(plan, keepBytes);
    const rows = tables.map(() => 0);
    const first = await timed(passMs, () =>
      runPass(engine, tables, plan, { signal, onProgress, kept, threads, rows }),
    );
    return { columns, kept, rows, first };
  });
  const reads = sample !== undefined && countsRows(tables, sample) ? 2 : 1;
  return { tables, request, reads, passMs, ms: performance.now() - start, ...found };
}

async function end(
  engine: Engine,
  side: Begun,
  sides: readonly Begun[],
  { signal, threads, top }: CheckedOptions,
  report: () => OnPass,
): Promise<CountedSide> {
  const { tables, columns, request, kept, rows, first, passMs, ms } = side;
  const start = performance.now();
  const passes = [first];
  const firsts = sides.map((one) => one.first);
  let { reads } = side;
  for (;;) {
    const next = planAfter(passes, request, (column) => momentsOnSides(column, firsts));
    if (next === null) break;
    if (passes.length === 1) kept.keepCounts(first);
    const again = new Set(next.columns.map(({ name }) => name).filter((name) => !kept.serves(name, next)));
    if (again.size > 0) {
      checkReadable(tables, again);
      reads++;
    }
    const onProgress = report();
    passes.push(
      await timed(passMs, () => runPass(engine, tables, next, { signal, onProgress, again, kept, threads })),
    );
  }
  const files = tables.map(
    ({ name, format }, i): FileJson => ({ name, format, rows: rows[i]!, bytes: bytesOf(tables[i]!) }),
  );
  const timings = { totalMs: ms + performance.now() - start, passMs };
  return { passes, profile: profileJson({ passes, columns, tables, files, engine, reads, timings, top }) };
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

async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
}
