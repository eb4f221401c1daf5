import { expected, PolybinError } from "./errors.ts";

/** What a parameter may be: one of some names, or a whole number within bounds. */
export type ParameterRule = readonly string[] | { readonly least: number; readonly most: number };

/** An algorithm, as far as its parameters are concerned. */
export interface Taker<P> {
  readonly slug: string;
  /** The parameters it takes, with their defaults. */
  readonly parameters: Readonly<P>;
}

/**
 * The given parameters of an algorithm.
 * @param takers all algorithms, to say whose a parameter is that this one does not take
 * @throws ERR_INPUT for one that it does not take or that breaks its rule.
 */
export function checkedBy<P extends object>(
  rules: Readonly<Record<keyof P & string, ParameterRule>>,
  takers: readonly Taker<P>[],
  { slug, parameters }: Taker<P>,
  given: P,
): P {
  const out: Partial<P> = {};
  for (const name of Object.keys(rules) as (keyof P & string)[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (!(name in parameters)) {
      const owners = takers.filter((other) => name in other.parameters).map((other) => other.slug);
      throw new PolybinError(
        "ERR_INPUT",
        `expected no ${name} for ${slug}: it is a parameter of ${owners.join(", ")}`,
        { algorithm: slug },
      );
    }
    const rule = rules[name];
    if (!follows(rule, value)) {
      throw expected("ERR_INPUT", name, describe(rule), value, { algorithm: slug });
    }
    out[name] = value;
  }
  return out as P;
}

function follows(rule: ParameterRule, value: unknown): boolean {
  if (!("least" in rule)) return rule.includes(value as string);
  return Number.isInteger(value) && (value as number) >= rule.least && (value as number) <= rule.most;
}

function describe(rule: ParameterRule): string {
  return "least" in rule ? `a whole number from ${rule.least} to ${rule.most}` : rule.join(" or ");
}
