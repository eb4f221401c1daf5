import { expected, PolybinError } from "../base/index.ts";

/** Defines the allowed values of a parameter. `generated/registry.ts` is generated from these rules. */
export type ParameterRule = {
  /** Describes the parameter in a few words. It becomes the documentation of the option. */
  readonly title: string;
  /** The default; undefined: it depends on the request. */
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

/** Parameters as the caller gave them. An undefined value counts as not given. */
export type GivenParameters = { readonly [name: string]: number | string | undefined };

/** One rule for each of an algorithm's parameters. */
export type ParameterRules<P extends object> = { readonly [name in keyof P & string]-?: ParameterRule };

/** The properties of an algorithm that define its parameters. */
export interface Taker {
  readonly slug: string;
  readonly parameters: Readonly<Record<string, ParameterRule>>;
}

/**
 * Returns the checked parameters of an algorithm, with defaults for the missing ones that have a default.
 * @param others algorithms to search for the owner of a parameter that this one does not take.
 * @throws ERR_INPUT for a parameter that it does not take, or a value that breaks the rule.
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

/** Describes parameters for a plan's line, such as "k 31" and "layout row". */
export function describeParameters(of: ParameterValues): string[] {
  return Object.entries(of).map(([name, value]) => `${name} ${value}`);
}
