import type { Backend } from "../backend/index.ts";
import { PolybinError } from "../base/index.ts";
import type { GivenParameters } from "../plan/index.ts";

/** An algorithm, as far as its options are concerned. */
type Taker = Pick<Backend["algorithms"][number], "slug" | "parameters">;

/** The options that are parameters of algorithms: those of core's, which every backend knows, and of the backend's own. */
export function parameterNames(core: readonly string[], own: readonly Taker[]): readonly string[] {
  return Object.freeze([
    ...new Set([...core, ...own.flatMap(({ parameters }) => Object.keys(parameters ?? {}))]),
  ]);
}

/** The parameters among a call's options. */
export function parametersAmong(options: object, names: readonly string[]): GivenParameters {
  const given = options as GivenParameters;
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(given, name) ? given[name] : undefined]),
  );
}

/**
 * @param reserved options that mean something else
 * @throws ERR_INPUT where two algorithms have one name, or a parameter has the name of another option.
 */
export function checkAlgorithms(backend: string, own: readonly Taker[], reserved: readonly string[]): void {
  const seen = new Set<string>(["auto"]);
  const refuse = (message: string) => new PolybinError("ERR_INPUT", message, { backend });
  for (const { slug, parameters = {} } of own) {
    if (seen.has(slug)) throw refuse(`expected algorithms of different names but ${slug} is taken`);
    seen.add(slug);
    const taken = Object.keys(parameters).find((name) => reserved.includes(name));
    if (taken !== undefined) {
      throw refuse(
        `expected another name for ${slug}'s parameter ${taken}, which is an option of every call`,
      );
    }
  }
}
