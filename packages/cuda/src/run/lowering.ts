import type { SampleType } from "@polybin/core";
import { type Lowering, limits, type Ranks, ranksOf } from "@polybin/core/backend";
import { LoweringNumbers, type NativeLowering, type PartValues, packed } from "../border/index.ts";

type Numbers = PartValues<(typeof LoweringNumbers)["parts"]>;

/** The fields that a kind does not need. */
const NONE: Omit<Numbers, "kind" | "type" | "bins" | "flow"> = {
  first: 0,
  last: 0,
  scale: 0,
  steps: 0,
  cells: 0,
  line: false,
  base: 0,
  shift: 0,
  start: 0,
  origin: 0,
  inverse: 0,
};

const as = (
  { type, bins, flow }: Pick<Numbers, "bins" | "flow"> & Pick<Lowering, "type">,
  kind: Numbers["kind"],
  own: Partial<Numbers>,
  arrays: Omit<NativeLowering, "numbers"> = {},
): NativeLowering => ({
  numbers: packed(LoweringNumbers, { ...NONE, kind, type, bins, flow, ...own }),
  ...arrays,
});

/** Returns the lowering of bytes that are counted by their upper bits. */
export function rawLowering(type: SampleType, bins: number, shift: number): NativeLowering {
  return as({ type, bins, flow: false }, "raw", { shift });
}

/** Converts a lowering to the addon's form. */
export function nativeLowering(lowering: Lowering): NativeLowering {
  if (lowering.kind === "direct") return as(lowering, "direct", { start: lowering.start });
  const ranks = ranksOf(lowering);
  if (ranks !== null) {
    const { low, high } = ranks;
    if (ranks.scale !== null) return as(lowering, "scaled", product(ranks, ranks.scale));
    return as(lowering, "ranks", search(ranks), { low, high, starts: ranks.guess.starts });
  }
  if (lowering.kind === "table") return as(lowering, "table", {}, { table: lowering.table });
  throw new Error("expected the engine to count samples of one constant code itself");
}

function search({ steps, guess }: Ranks): Partial<Numbers> {
  const { cells } = guess;
  return guess.kind === "line"
    ? { steps, cells, line: true, origin: guess.origin, inverse: guess.inverse }
    : { steps, cells, line: false, base: guess.base, shift: guess.shift };
}

function product({ low, bins }: Ranks, scale: number): Partial<Numbers> {
  // Without a threshold of overflow, all keys are at most the last.
  const last = low.length > bins ? low[bins]! - 1 : limits.HALF_VALUES - 1;
  return { first: low[0]!, last, scale };
}
