import type { AxisChoice, Case, Column } from "./cases.ts";
import { type AxisSpec, isWhole, type Type } from "./reference.ts";

/** A defect that still exists, and the cases that meet it. */
interface Known {
  readonly defect: string;
  readonly meets: (of: Case) => boolean;
}

/** Cases of these defects are not judged. Delete an entry with its defect. */
const KNOWN: readonly Known[] = [
  {
    defect:
      "circular axes over 64-bit integers lose samples for periods past 2^53, and tiny periods never end",
    meets: some("circular", ({ hi, lo }, { samples }) => isLong(samples.type) && !isModest(hi - lo)),
  },
  {
    defect:
      "circular axes with a period near the largest double put samples next to an edge into the wrong bin",
    meets: some("circular", ({ hi, lo }) => hi - lo > 2 ** 1022),
  },
  {
    defect: 'a rule with the range "type" over floats is refused as ERR_AXIS',
    meets: ({ columns }) =>
      columns.some(({ axis, samples }) => !isWhole(samples.type) && hasRule(axis) && isOfType(axis)),
  },
  {
    defect: "the range of 64-bit integers is rounded down for a rule, so that their maximum overflows",
    meets: ({ columns }) =>
      columns.some(({ axis, samples }) => isLong(samples.type) && hasRule(axis) && isOfData(axis)),
  },
  {
    defect: "power never ends, or has wrong edges, if a power of an end is small",
    meets: some("power", ({ lo, hi, exponent }) =>
      [lo, hi].some((x) => x > 0 && exponent * Math.log2(x) < -60),
    ),
  },
  {
    defect: "power does not round ties to even",
    meets: some("power", ({ exponent }) => [0.5, 1, 2].includes(Math.abs(exponent))),
  },
  {
    defect: "histograms refuses axes of which one is circular over f16",
    meets: (of) => of.each === true && some("circular", (_, { samples }) => samples.type === "f16")(of),
  },
  {
    defect: "the data's range of a resident of 64-bit integers is refused as ERR_AXIS",
    meets: ({ via, columns }) =>
      via === "resident" && columns.some(({ axis, samples }) => isLong(samples.type) && isOfData(axis)),
  },
  {
    defect: "a rule ignores weights without a word next to mask, where or by",
    meets: ({ columns, weights, mask, where, by }) =>
      weights !== undefined &&
      (mask ?? where ?? by) !== undefined &&
      columns.some(({ axis }) => hasRule(axis)),
  },
];

/** Whether a case meets a known defect. */
export const isKnown = (of: Case): boolean => KNOWN.some(({ meets }) => meets(of));

function some<K extends AxisSpec["kind"]>(
  kind: K,
  meets: (axis: Extract<AxisSpec, { kind: K }>, column: Column) => boolean,
): (of: Case) => boolean {
  return ({ columns }) =>
    columns.some((column) => {
      const { axis } = column.axis;
      return axis?.kind === kind && meets(axis as Extract<AxisSpec, { kind: K }>, column);
    });
}

const isLong = (type: Type): boolean => type === "i64" || type === "u64";
const isModest = (period: number): boolean => period <= 2 ** 53 && period > 2 ** -900;
const isOfData = (axis: AxisChoice): boolean => axis.axis === undefined && (axis.range ?? "data") === "data";
const isOfType = (axis: AxisChoice): boolean => axis.axis === undefined && axis.range === "type";
const hasRule = (axis: AxisChoice): boolean => axis.axis === undefined && typeof axis.bins === "string";
