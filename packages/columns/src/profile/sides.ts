import type { Engine } from "@polybin/core";
import { PolybinError } from "@polybin/core";
import { type ColumnInfo, canReread, type Table } from "../table/index.ts";
import { Moments } from "./exact/moments.ts";
import type { FileJson, ProfileJson } from "./json.ts";
import { DISTINCT_LEAST, DISTINCT_LIMIT, DISTINCT_TOTAL } from "./limits.ts";
import {
  type CheckedOptions,
  checkedProfileOptions,
  type ProfileOptions,
  type ProfileProgress,
} from "./options.ts";
import type { ColumnPartial } from "./partial/column-partial.ts";
import type { ProfilePartial } from "./partial/profile-partial.ts";
import { checkNumbers, columnsOf, typeKey } from "./pass/columns.ts";
import { KeptColumns } from "./pass/kept.ts";
import { knownExtents } from "./pass/known-extents.ts";
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
  const all = sides.map((tables) =>
    columnsOf(tables, namesOn(sides, tables, checked.columns), checked.request),
  );
  const begun: Begun[] = [];
  for (const [i, tables] of sides.entries()) {
    const known = (columns: readonly ColumnInfo[]): KnownExtents => extentsOf(sides, all, tables, columns);
    const request = requestFor(options, checked.request, all[i]!.length);
    const keepBytes = Math.floor(checked.keepBytes / sides.length);
    const how = { ...checked, request, keepBytes, onPass: report() };
    begun.push(await begin(engine, tables, all[i]!, known, how));
  }
  const ended: CountedSide[] = [];
  for (const side of begun) ended.push(await end(engine, side, begun, checked, report));
  return ended;
}

/** The chosen columns that these tables have. A name that no side has is left for the error. */
function namesOn(
  sides: readonly (readonly Table[])[],
  tables: readonly Table[],
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  const has = (those: readonly Table[], name: string): boolean =>
    those.some(({ columns }) => columns.some((column) => column.name === name));
  return names?.filter((name) => has(tables, name) || !sides.some((those) => has(those, name)));
}

/** Extents that the files state. Columns that all sides share have one extent, so that their bins are the same. */
function extentsOf(
  sides: readonly (readonly Table[])[],
  all: readonly (readonly ColumnInfo[])[],
  tables: readonly Table[],
  columns: readonly ColumnInfo[],
): KnownExtents {
  const isShared = ({ name, type }: ColumnInfo): boolean =>
    all.every((those) => those.some((other) => other.name === name && typeKey(other.type) === typeKey(type)));
  return new Map([
    ...knownExtents(
      tables,
      columns.filter((column) => !isShared(column)),
    ),
    ...knownExtents(sides.flat(), columns.filter(isShared)),
  ]);
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
  let { reads } = side;
  for (;;) {
    const next = planAfter(passes, request, (column) => sharedMoments(column, sides));
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

/** The moments of a column on all sides together, if they share it. */
function sharedMoments(column: ColumnPartial, sides: readonly Begun[]): ColumnPartial["moments"] {
  const { plan, moments } = column;
  if (!(moments instanceof Moments) || sides.length === 1) return moments;
  const all = new Moments(moments.kind);
  for (const { first } of sides) {
    const found = first.columns.find((one) => one.plan.name === plan.name);
    if (found === undefined || typeKey(found.plan.logical) !== typeKey(plan.logical)) return moments;
    if (!(found.moments instanceof Moments)) return moments;
    all.merge(found.moments);
  }
  return all;
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
