import type { Backend, Engine, FeatureTable, SumsOptions } from "@polybin/core";
import { isComposed, type ValueType } from "@polybin/core/backend";
import type { Context } from "./case.ts";
import { featureValues, packedValues, type Spread, sumByDefinition } from "./weighting.ts";

/** A table and the values that it was made from. */
export interface Made {
  readonly table: FeatureTable;
  readonly rows: readonly Uint16Array[];
}

interface MadeOptions {
  readonly spread?: Spread;
  readonly keepCounts?: boolean;
}

export async function made(
  engine: Engine,
  type: ValueType,
  bins: readonly number[],
  documents: number,
  { spread = { kind: "uniform" }, keepCounts = false }: MadeOptions = {},
): Promise<Made> {
  const rows = bins.map((of, feature) => featureValues(of, documents, spread, documents + feature));
  const table = await engine.table({
    values: packedValues(type, rows),
    type,
    features: bins.length,
    documents,
    bins,
    keepCounts,
  });
  return { table, rows };
}

/** Adds up weights and compares the sums with the definition. It notes a refused plan. */
export async function compare(
  what: string,
  { table, rows }: Made,
  weights: Float32Array,
  options: SumsOptions,
  { check, backend, documents }: Context & { readonly documents?: readonly number[] | undefined },
): Promise<void> {
  const { algorithm = "auto", features = rows.map((_, i) => i) } = options;
  const name = `${algorithm}, ${table.type}, ${table.documents} documents, ${what}`;
  await check.unlessRefused(name, async () => {
    const got = await table.sums(weights, options);
    const want = features.map((feature) =>
      sumByDefinition(rows[feature]!, table.bins[feature]!, weights, documents),
    );
    check.sums(name, got, want);
    // `auto` may choose any algorithm, and a composed algorithm any of its candidates.
    if (algorithm === "auto" || isComposedIn(backend, algorithm)) return;
    for (const plan of got.plans) check.same(`${name}: algorithm`, plan.algorithm, algorithm);
  });
}

function isComposedIn({ weighted: all = [] }: Backend, slug: string): boolean {
  return all.some((one) => one.slug === slug && isComposed(one));
}
