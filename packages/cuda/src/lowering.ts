import type { Plan } from "@polybin/core";
import { type Lowering, limits, type Ranks, ranksOf, SAMPLE_TYPES } from "@polybin/core/backend";

const KINDS = ["raw", "direct", "table", "ranks", "scaled"] as const;
const NONE = new Uint32Array(0);

/** A lowering in the form that native/boundary/jobs.cc reads. */
export function nativeLowering(lowering: Lowering, { raw, cells }: Plan): Readonly<Record<string, unknown>> {
  const { bins, flow } = lowering;
  const kind = (of: (typeof KINDS)[number]) => ({
    kind: KINDS.indexOf(of),
    type: SAMPLE_TYPES.indexOf(lowering.type),
    bins,
    flow,
  });
  if (raw) return { ...kind("raw"), bins: cells, flow: false };
  if (lowering.kind === "direct") return { ...kind("direct"), start: lowering.start };
  const ranks = ranksOf(lowering);
  if (ranks !== null) {
    return ranks.scale === null
      ? { ...kind("ranks"), ...search(ranks) }
      : { ...kind("scaled"), ...product(ranks) };
  }
  if (lowering.kind === "table") return { ...kind("table"), table: lowering.table };
  throw new Error("samples of one constant code are not sent to a device");
}

function search({ low, high, steps, guess }: Ranks): object {
  const { cells, starts } = guess;
  const of = { low, high: high ?? NONE, starts: starts ?? NONE, steps, cells };
  return guess.kind === "line"
    ? { ...of, line: true, origin: guess.origin, inverse: guess.inverse }
    : { ...of, line: false, base: guess.base, shift: guess.shift };
}

function product({ low, bins, scale }: Ranks): object {
  // Without a threshold of overflow, all keys are at most the last.
  const last = low.length > bins ? low[bins]! - 1 : limits.HALF_VALUES - 1;
  return { first: low[0], last, scale };
}
