import { Random } from "../random.ts";
import { type Combination, normal, PART_NAMES, type Part, SIMPLEST, type Values } from "./parts.ts";

/** Values of some parts. */
export type Some = Partial<Combination>;

/** Whether a combination is counted, counted by some devices only, or by none. */
export type Judge = (of: Combination) => "counted" | "by some devices" | "refused";

/** Values that a combination needs if it has some others. */
const NEEDS: readonly (readonly [(of: Combination) => boolean, Some])[] = [
  [
    ({ otherType, otherAxis, otherInput }) =>
      `${otherType} ${otherAxis} ${otherInput}` !== "u8 integer array",
    { columns: "two" },
  ],
  [({ columns }) => columns.includes("channel"), { layout: "4 channels" }],
  [({ columns }) => columns.startsWith("each"), { layout: "3 channels" }],
  [({ method }) => method !== "auto", { storage: "f64" }],
  [({ rows }) => rows === "tiles", { layout: "padded rows" }],
  [({ input }) => input === "numbers", { type: "f64" }],
  [({ way }) => way === "encode", { input: "resident" }],
];

/** Returns the simplest combination with some values, and those that they need. */
function simplestWith(some: Some): Combination {
  let of: Combination = { ...SIMPLEST, ...some };
  for (const [needs, those] of NEEDS) if (needs(of)) of = { ...of, ...those, ...some };
  return normal(of);
}

const has = (of: Combination, some: Some): boolean =>
  (Object.keys(some) as Part[]).every((part) => of[part] === some[part]);

/** Parts that most algorithms leave free. A value that a device may refuse is combined with these. */
const FREE: readonly Part[] = ["type", "axis", "layout", "input", "size"];
/** Parts that need cells. An algorithm has them all, or none. */
const OF_CELLS: readonly Part[] = ["columns", "otherType", "otherAxis", "otherInput", "mask", "list"];
const CHOICES: readonly Part[] = ["algorithm", "method"];
/** Parts on which others depend. */
const FIRST: readonly Part[] = ["columns", "storage", "rows", "way"];

/**
 * Returns combinations in which every pair of values of two parts occurs, and every given set of values. A value that
 * may be refused occurs with as little else as possible, because a refusal hides what would follow.
 * @param seed decides which other values a pair occurs with
 */
export function covering(
  values: Values,
  sets: readonly Some[],
  judge: Judge,
  seed: number,
): readonly Combination[] {
  const random = new Random(seed);
  const left = new Pairs(values);
  const all: Combination[] = [];
  const add = (some: Some): void => {
    const least = simplestWith(some);
    if (!has(least, some)) return;
    const judged = judge(least);
    const isAccepted = (of: Combination) => has(of, some) && ["counted", judged].includes(judge(of));
    const isOfCells = OF_CELLS.some((part) => part in some);
    const parts: Readonly<Record<ReturnType<Judge>, readonly Part[]>> = {
      counted: PART_NAMES,
      "by some devices": isOfCells ? [...FREE, ...OF_CELLS] : FREE,
      refused: [],
    };
    const order = [
      ...FIRST.filter((part) => parts[judged].includes(part)),
      ...shuffled(parts[judged], random),
    ];
    const one = filled(least, order, { values, left, isAccepted, random });
    if (judged === "counted") left.cross(one, PART_NAMES);
    else
      left.cross(
        one,
        (Object.keys(some) as Part[]).filter((part) => isSpecial(part, some[part]!)),
      );
    all.push(one);
  };
  const isSpecial = (part: Part, value: string): boolean =>
    judge(simplestWith({ [part]: value })) !== "counted";
  for (const some of sets) add(some);
  // Crosses out every pair that can be had in a combination of many.
  for (const pair of left.each()) add(pair);
  return all;
}

interface Filling {
  readonly values: Values;
  readonly left: Pairs;
  readonly isAccepted: (of: Combination) => boolean;
  readonly random: Random;
}

/** Gives parts the values with which most pairs occur for the first time, or any. */
function filled(
  least: Combination,
  parts: readonly Part[],
  { values, left, isAccepted, random }: Filling,
): Combination {
  let of = least;
  for (const part of parts) {
    let best = -1;
    let found = of;
    for (const value of shuffled(values[part], random)) {
      const fresh = left.freshWith(of, part, value);
      if (fresh <= best) continue;
      const other = normal({ ...of, [part]: value });
      if (other[part] !== value || !isAccepted(other)) continue;
      best = fresh;
      found = other;
    }
    of = found;
  }
  return of;
}

/** The pairs of values that no combination has so far. */
class Pairs {
  readonly #values: Values;
  readonly #places: Readonly<Record<Part, ReadonlyMap<string, number>>>;
  /** For each two parts, whether each pair is left. */
  readonly #left: readonly (readonly Uint8Array[])[];

  constructor(values: Values) {
    const places = PART_NAMES.map((part) => [part, new Map(values[part].map((value, i) => [value, i]))]);
    this.#values = values;
    this.#places = Object.fromEntries(places);
    const isLeft = (one: Part, other: Part): number =>
      (CHOICES.includes(one) && other.startsWith("other")) || (one === "method" && other === "algorithm")
        ? 0
        : 1;
    this.#left = PART_NAMES.map((one) =>
      PART_NAMES.map((other) =>
        new Uint8Array(values[one].length * values[other].length).fill(
          isLeft(one, other) & isLeft(other, one),
        ),
      ),
    );
  }

  *each(): Generator<Some> {
    for (const [i, one] of PART_NAMES.entries()) {
      for (const [j, other] of PART_NAMES.entries()) {
        if (j <= i) continue;
        const width = this.#values[other].length;
        for (const [a, value] of this.#values[one].entries()) {
          for (const [b, next] of this.#values[other].entries()) {
            if (this.#left[i]![j]![a * width + b] === 1) yield { [one]: value, [other]: next };
          }
        }
      }
    }
  }

  /** Returns the number of pairs that are left, of a value and the other parts of a combination. */
  freshWith(of: Combination, part: Part, value: string): number {
    const i = PART_NAMES.indexOf(part);
    const a = this.#places[part].get(value)!;
    let fresh = 0;
    for (let j = 0; j < PART_NAMES.length; j++) {
      const other = PART_NAMES[j]!;
      const b = this.#places[other].get(of[other])!;
      if (j !== i) fresh += this.#left[i]![j]![a * this.#values[other].length + b]!;
    }
    return fresh;
  }

  /** Crosses out the pairs of a combination that have a value of some parts. */
  cross(of: Combination, parts: readonly Part[]): void {
    const at = PART_NAMES.map((part) => this.#places[part].get(of[part])!);
    for (const [i, one] of PART_NAMES.entries()) {
      for (const [j, other] of PART_NAMES.entries()) {
        if (i === j || (!parts.includes(one) && !parts.includes(other))) continue;
        this.#left[i]![j]![at[i]! * this.#values[other].length + at[j]!] = 0;
      }
    }
  }
}

function shuffled<T>(of: readonly T[], random: Random): T[] {
  const out = [...of];
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
