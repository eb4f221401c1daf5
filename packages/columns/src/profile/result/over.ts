import type { OverColumnJson, OverJson } from "../json.ts";
import type { OverPartial } from "../partial/over-partial.ts";
import { finite, scalarOf } from "./scalar.ts";

/** The means of columns over the bins of another column. @param rows all rows of the profile */
export function overOf({ plan, rows, outside, columns }: OverPartial, all: number): OverJson {
  const { column, step, axis } = plan;
  const edges = axis.type === "variable" ? [...axis.edges] : [];
  const inside = rows.reduce((sum, count) => sum + count, 0);
  return {
    ...{ column, step, edges, rows: Array.from(rows), outside, nulls: all - inside - outside },
    columns: columns.map(({ nulls, moments }, i): OverColumnJson => {
      const end = (of: (typeof moments)[number]["min"]) => (of === null ? null : scalarOf(of));
      return {
        name: plan.columns[i]!,
        values: moments.map(({ count }) => count),
        nulls: Array.from(nulls),
        mean: moments.map((of) => finite(of.mean())),
        min: moments.map(({ min }) => end(min)),
        max: moments.map(({ max }) => end(max)),
      };
    }),
  };
}
