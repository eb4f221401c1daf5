import type { Backend } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import type { GivenParameters } from "../../plan/index.ts";

/** The properties of an algorithm that define its options. */
type Taker = Pick<Backend["algorithms"][number], "slug" | "parameters">;

/**
 * Returns the options that are parameters: those of core's algorithms, which every backend knows, and the backend's
 * own.
 */
export function parameterNames(core: readonly string[], own: readonly Taker[]): readonly string[] {
  return Object.freeze([
    ...new Set([...core, ...own.flatMap(({ parameters }) => Object.keys(parameters ?? {}))]),
  ]);
}

/** Returns the parameters among a call's options. */
export function parametersAmong(options: object, names: readonly string[]): GivenParameters {
  const given = options as GivenParameters;
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(given, name) ? given[name] : undefined]),
  );
}

/**
 * @param reserved names of options with another meaning.
 * @throws ERR_INPUT if two algorithms have the same slug, or a parameter has the name of another option.
 */
export function checkAlgorithms(backend: string, own: readonly Taker[], reserved: readonly string[]): void {
  const seen = new Set<string>(["auto"]);
  const refuse = (message: string) => new PolybinError("ERR_INPUT", message, { backend });
  for (const { slug, parameters = {} } of own) {
    if (seen.has(slug))
      throw refuse(`expected a different slug for each algorithm but ${slug} is already taken`);
    seen.add(slug);
    const taken = Object.keys(parameters).find((name) => reserved.includes(name));
    if (taken !== undefined) {
      throw refuse(
        `expected another name for ${slug}'s parameter ${taken}, which is an option of every call`,
      );
    }
  }
}
