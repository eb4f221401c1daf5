import type { Numbers } from "../oracle/cells.ts";
import { counterOptions } from "../request/ask.ts";
import { expectedOf } from "../request/expected.ts";
import type { Request } from "../request/request.ts";
import { extentOf } from "../request/samples.ts";
import type { Step } from "./step.ts";
import { expectedSums } from "./tables.ts";

/** The totals of counters, which outlive a step. */
export type Totals = Map<string, Numbers>;

/** Returns a text for everything that a counter is prepared with. */
export const counterKey = (of: Request): string => JSON.stringify(counterOptions(of));

/** Counts a step by the definition, in plain loops. Null: the step has no numbers. */
export function expectedStep(step: Step, totals: Totals): Numbers | null {
  switch (step.kind) {
    case "ask":
      return named(expectedOf(step.request));
    case "counter": {
      const all = named(step.requests.flatMap(expectedOf));
      if (step.way !== "accumulate") return all;
      const key = counterKey(step.requests[0]!);
      const before = totals.get(key);
      totals.set(key, before === undefined ? all : sumOf(before, all));
      return null;
    }
    case "take": {
      const found = totals.get(counterKey(step.of));
      totals.delete(counterKey(step.of));
      return found ?? named(expectedOf(emptied(step.of)));
    }
    case "sums":
      return expectedSums(step);
    case "extent": {
      const { data } = step;
      return { extent: extentOf(data, [...new Array(data.channels).keys()]) };
    }
    case "free":
      totals.delete(counterKey(step.of));
      return null;
    case "reopen":
      totals.clear();
      return null;
    case "together": {
      const all = step.steps.map((one, i) =>
        Object.entries(expectedStep(one, totals) ?? {}).map(([name, row]) => [`${i} ${name}`, row]),
      );
      return Object.fromEntries(all.flat());
    }
    default:
      return null;
  }
}

/** The numbers of several results as those of one. */
export function named(all: readonly Numbers[]): Numbers {
  return Object.fromEntries(
    all.flatMap((one, i) =>
      Object.entries(one).map(([name, row]) => [all.length > 1 ? `${name} ${i}` : name, row]),
    ),
  );
}

/** Sums of eighths are exact in doubles. */
function sumOf(one: Numbers, other: Numbers): Numbers {
  const sums = (name: string, row: ArrayLike<number>) =>
    Float64Array.from(row, (x, i) => x + other[name]![i]!);
  return Object.fromEntries(Object.entries(one).map(([name, row]) => [name, sums(name, row)]));
}

/** The request over no samples. */
function emptied(request: Request): Request {
  const { columns, select } = request;
  const none = columns.map((column) => ({ ...column, data: { ...column.data, pixels: 0, picture: null } }));
  return { ...request, columns: none, select: { ...select, where: null } };
}
