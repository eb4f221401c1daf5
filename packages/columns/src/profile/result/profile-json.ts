import type { Engine } from "@polybin/core";
import { edgesOf } from "@polybin/core/backend";
import { type ColumnInfo, sampleTypeOf, type Table } from "../../table/index.ts";
import type {
  ColumnJson,
  DuplicatesJson,
  FileJson,
  JointAxisJson,
  JointJson,
  ProfileJson,
  TimingsJson,
} from "../json.ts";
import type { JointPartial } from "../partial/joint-partial.ts";
import type { PassPlan } from "../partial/plan.ts";
import type { ProfilePartial } from "../partial/profile-partial.ts";
import { typeText } from "../text.ts";
import type { Values } from "../values/values.ts";
import { columnJson } from "./column-json.ts";
import { correlationsOf, missingOf } from "./correlations.ts";
import { overOf } from "./over.ts";
import { statedNulls } from "./stated-nulls.ts";

/** The parts of a profile. */
export interface ProfileParts {
  /** The counts of each pass, the first pass first. */
  readonly passes: readonly ProfilePartial[];
  /** All columns, in the order of the result. */
  readonly columns: readonly Pick<ColumnInfo, "name" | "type">[];
  readonly tables: readonly Pick<Table, "columns" | "parts">[];
  readonly files: readonly FileJson[];
  readonly engine: Pick<Engine, "backend" | "device">;
  /** How often the files were read. */
  readonly reads: number;
  readonly timings: TimingsJson;
  /** Number of frequent values to list per column. */
  readonly top: number;
}

/** The profile that the passes counted. */
export function profileJson({
  passes,
  columns,
  tables,
  files,
  engine,
  reads,
  timings,
  top,
}: ProfileParts): ProfileJson {
  const first = passes[0]!;
  const { sample } = first.plan;
  const { backend, device } = engine;
  const pairs = passes.find((pass) => pass.pairs !== null)?.pairs ?? null;
  const correlations = pairs && correlationsOf(pairs);
  const missing = pairs && missingOf(pairs);
  const over = passes.findLast((pass) => pass.over !== null)?.over ?? null;
  return {
    version: 1,
    files,
    rows: first.rows,
    ...(sample === null ? {} : { sample: { of: first.seen, seed: sample.seed } }),
    columns: columns.map(({ name, type }) => {
      const found = passes.flatMap((pass) => pass.columns.filter(({ plan }) => plan.name === name));
      return found.length === 0
        ? refusedJson(name, type, first.rows, sample === null ? statedNulls(tables, name) : null)
        : columnJson(found, top);
    }),
    joint: passes.flatMap((pass) => pass.joint.map((joint) => jointJson(joint, pass.plan))),
    ...(first.different === null ? {} : { duplicates: duplicatesOf(first.different) }),
    ...(correlations === null ? {} : { correlations }),
    ...(missing === null ? {} : { missing }),
    ...(over === null ? {} : { over: overOf(over, first.rows) }),
    backend,
    device,
    passes: reads,
    timings,
  };
}

/** Rows that equal an earlier one. */
function duplicatesOf(different: Values): DuplicatesJson {
  const { distinct, total } = different;
  const most = different.sorted()?.[0]?.count ?? null;
  return distinct.exact
    ? { rows: total - distinct.value, distinct, most }
    : { rows: null, distinct, most: null };
}

function jointJson({ plan, counts, outside, nulls }: JointPartial, { columns }: PassPlan): JointJson {
  const [x, y] = plan.axes;
  const axis = (k: 0 | 1): JointAxisJson => {
    const { logical } = columns.find(({ name }) => name === plan.columns[k])!;
    return { type: plan.axes[k].type, edges: Array.from(edgesOf(plan.axes[k], sampleTypeOf(logical)!)) };
  };
  return {
    columns: plan.columns,
    axes: [axis(0), axis(1)],
    shape: [x.bins, y.bins],
    counts: Array.from(counts),
    outside,
    nulls,
  };
}

/** A column that cannot be read. Its type states why. */
function refusedJson(
  name: string,
  logical: ColumnInfo["type"],
  rows: number,
  nulls: number | null,
): ColumnJson {
  return {
    name,
    type: typeText(logical),
    logical,
    unit: null,
    rows,
    nulls,
    nan: 0,
    infinite: { negative: 0, positive: 0 },
    distinct: null,
    min: null,
    max: null,
    mean: null,
    stddev: null,
    quantiles: [],
    histogram: null,
    top: [],
    topExact: false,
    topBound: null,
  };
}
