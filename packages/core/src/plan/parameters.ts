import { expected, PolybinError } from "../base/index.ts";

/** What a parameter of an algorithm may be, beside the algorithm that takes it: `generated/registry.ts` is made from these. */
export type ParameterRule = {
  /** What it is, in a few words: the documentation of the option of its name. */
  readonly title: string;
  /** What it is where nobody gives it; undefined where that depends on the request. */
  readonly default?: number | string | undefined;
} & (
  | { readonly of: readonly string[] }
  | {
      /** A whole number from `least` to `most`. */
      readonly least: number;
      readonly most: number;
    }
);

/** Parameters by name, as they are in effect. */
export type ParameterValues = { readonly [name: string]: number | string };

/** Parameters as they are given; one that is undefined is not. */
export type GivenParameters = { readonly [name: string]: number | string | undefined };

/** A rule for each of an algorithm's parameters. */
export type ParameterRules<P extends object> = { readonly [name in keyof P & string]-?: ParameterRule };

/** An algorithm, as far as its parameters are concerned. */
export interface Taker {
  readonly slug: string;
  readonly parameters: Readonly<Record<string, ParameterRule>>;
}

/**
 * The given parameters of an algorithm, and the defaults of the others that have one.
 * @param others algorithms, to say whose a parameter is that this one does not take
 * @throws ERR_INPUT for one that it does not take or that breaks its rule.
 */
export function checkedParameters(
  { slug, parameters }: Taker,
  given: GivenParameters,
  others: readonly Taker[],
): ParameterValues {
  const out: Record<string, number | string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (rule === undefined) {
      const owners = others
        .filter((other) => Object.hasOwn(other.parameters, name))
        .map((other) => other.slug);
      const whose = owners.length > 0 ? `: it is a parameter of ${owners.join(", ")}` : "";
      throw new PolybinError("ERR_INPUT", `expected no ${name} for ${slug}${whose}`, { algorithm: slug });
    }
    if (!follows(rule, value)) {
      throw expected("ERR_INPUT", name, describe(rule), value, { algorithm: slug });
    }
  }
  for (const [name, rule] of Object.entries(parameters)) {
    const value = given[name] ?? rule.default;
    if (value !== undefined) out[name] = value;
  }
  return Object.freeze(out);
}

function follows(rule: ParameterRule, value: unknown): boolean {
  if ("of" in rule) return rule.of.includes(value as string);
  return Number.isInteger(value) && (value as number) >= rule.least && (value as number) <= rule.most;
}

function describe(rule: ParameterRule): string {
  return "of" in rule ? rule.of.join(" or ") : `a whole number from ${rule.least} to ${rule.most}`;
}

/** "k 31, layout row": what a plan's line says of its parameters. */
export function describeParameters(of: ParameterValues): string[] {
  return Object.entries(of).map(([name, value]) => `${name} ${value}`);
}
