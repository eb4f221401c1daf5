import type { Case, CaseRequest, Topic } from "../case.ts";
import { ALWAYS } from "./always.ts";
import { checkRequest } from "./check.ts";
import { KERNELS } from "./kernels.ts";
import { covering, type Judge } from "./pairs.ts";
import { type Combination, nameOf, valuesFor } from "./parts.ts";
import { refusalOf } from "./refusals.ts";
import { requestOf } from "./request.ts";

/** Cases of columns, selections, rows, storage and calls in combination. */
export const combinations: Topic = (request) =>
  combinationsFor(request).map(
    ({ name, of, seed }): Case => ({
      topic: "combinations",
      name,
      run: (context) => checkRequest(context, name, requestOf(of, seed), refusalOf(of)),
    }),
  );

interface Named {
  readonly name: string;
  readonly of: Combination;
  readonly seed: number;
}

const kept = new Map<string, readonly Named[]>();

/** Returns the combinations for a backend: every pair, and every triple that has failed before. */
export function combinationsFor({ slugs, methods }: CaseRequest): readonly Named[] {
  const values = valuesFor({ slugs, methods: methods.map(({ slug }) => slug) });
  const key = JSON.stringify([values.algorithm, values.method]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const judge: Judge = (of) => {
    const refusal = refusalOf(of);
    return refusal === null ? "counted" : refusal.ofDevice ? "by some devices" : "refused";
  };
  const all = new Map<string, Named>();
  for (const of of covering(values, [...ALWAYS, ...KERNELS], judge, 1)) {
    if (refusalOf(of)?.code === null) continue;
    const name = nameOf(of);
    if (!all.has(name)) all.set(name, { name, of, seed: all.size + 1 });
  }
  const found = [...all.values()];
  kept.set(key, found);
  return found;
}
