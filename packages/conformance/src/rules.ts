import type { Algorithm, ComposedAlgorithm, ParameterRule, WeightedAlgorithm } from "@polybin/core/backend";

/** Parameters of an algorithm by name. */
export type Given = Readonly<Record<string, number | string>>;

/** A parameter that is a whole number within bounds. */
export type NumberRule = Extract<ParameterRule, { readonly least: number }>;

/** A parameter that is one of several names. */
export type ChoiceRule = Extract<ParameterRule, { readonly of: readonly string[] }>;

type Taker = Algorithm | WeightedAlgorithm | ComposedAlgorithm;

export function rulesOf({ parameters }: Taker): (readonly [name: string, rule: ParameterRule])[] {
  return Object.entries(parameters as Readonly<Record<string, ParameterRule>>);
}

export function numbersOf(of: Taker): (readonly [name: string, rule: NumberRule])[] {
  return rulesOf(of).filter((entry): entry is [string, NumberRule] => "least" in entry[1]);
}

export function choicesOf(of: Taker): (readonly [name: string, rule: ChoiceRule])[] {
  return rulesOf(of).filter((entry): entry is [string, ChoiceRule] => "of" in entry[1]);
}

/** Returns every combination of the choices. */
export function everyChoice(of: Taker): Given[] {
  return choicesOf(of).reduce<Given[]>(
    (all, [name, rule]) => all.flatMap((given) => rule.of.map((value) => ({ ...given, [name]: value }))),
    [{}],
  );
}

/** Number of values up to which all values of a number are tested. */
const FEW = 64;

/** Returns all allowed numbers if there are few; otherwise both ends, their neighbours and the middle. */
export function valuesOf({ least, most }: NumberRule): number[] {
  if (most - least < FEW) return Array.from({ length: most - least + 1 }, (_, i) => least + i);
  return [least, least + 1, Math.floor((least + most) / 2), most - 1, most];
}

/** Returns combinations of parameters at the ends of their ranges, and a few in between. */
export function endsOf(of: Taker): Given[] {
  const rules = numbersOf(of);
  const each = (value: (rule: NumberRule, i: number) => number): Given =>
    Object.fromEntries(rules.map(([name, rule], i) => [name, value(rule, i)]));
  const all = [
    ...rules.map(([name, { least }]) => ({ [name]: least })),
    each(({ most }) => most),
    each(({ least, most }, i) => (i % 2 === 0 ? least : most)),
    each(({ least, most }, i) => (i % 2 === 0 ? most : least)),
    each(({ least, most }, i) => Math.min(most, least + 4 - 2 * i)),
    each(({ least, most }, i) => Math.min(most, least + 4 + 2 * i)),
  ];
  // With a single parameter, some combinations are equal.
  return [...new Map(all.map((given) => [JSON.stringify(given), given])).values()];
}

/** Returns values that the rule of a parameter does not allow. */
export function wrongOf(rule: ParameterRule): unknown[] {
  if ("of" in rule) return ["no such", 1, null];
  const { least, most } = rule;
  return [least - 1, -1, most + 1, least + 0.5, Number.NaN, Infinity, String(least), null];
}
