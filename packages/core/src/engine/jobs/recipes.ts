import { type Axis, checkedAxis, isSameAxis } from "../../axis/index.ts";
import { checkObject, ownOptions } from "../../base/index.ts";
import type { Channels } from "../../input/index.ts";
import type { Histogram } from "../../result/index.ts";
import { KEPT_RECIPES } from "../limits.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { checkOptions, checkProgress, type HistogramOptions } from "../options/options.ts";
import type { Jobs } from "./prepare.ts";
import { Recipe } from "./recipe.ts";

/** Options of `histogram` or `histograms`. */
type Options = HistogramOptions & {
  readonly channel?: number | undefined;
  readonly channels?: readonly number[] | undefined;
};

/** The recipe of a call, and the axis object that the caller passed; null: none. */
export interface KnownRecipe<R> {
  readonly recipe: Recipe<R>;
  readonly axis: Axis | null;
}

/** Copies of a caller's options, and the recipe that was made from them. */
interface CachedRecipe<R> {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
  /** Index of `axis` in these lists; -1: there is none. */
  readonly axisAt: number;
  readonly found: KnownRecipe<R>;
}

/** Options that do not affect what a call counts. */
const isTalk = (name: string): boolean => name === "signal" || name === "onProgress";

/**
 * Caches the recipes of the last calls by the content of their options. A call with equal options skips checking,
 * lowering and planning. If the caller changes an option afterwards, such as an array of edges, the content differs.
 */
export class Recipes<R> {
  readonly #opened: OpenBackend;
  readonly #jobs: Jobs;
  readonly #name: "channel" | "channels";
  readonly #as: (all: Histogram[]) => R;
  /** The most recently used one first. */
  #kept: CachedRecipe<R>[] = [];
  #plain: KnownRecipe<R> | null = null;

  /** @param name the option that selects the channels */
  constructor(opened: OpenBackend, jobs: Jobs, name: "channel" | "channels", as: (all: Histogram[]) => R) {
    this.#opened = opened;
    this.#jobs = jobs;
    this.#name = name;
    this.#as = as;
  }

  /** @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_AXIS for wrong options */
  of(options: Options | undefined): KnownRecipe<R> {
    if (options === undefined) {
      this.#plain ??= this.#made({}).found;
      return this.#plain;
    }
    if (typeof options !== "object" || options === null) return this.#made(options).found;
    const names = Object.keys(options);
    for (const [at, kept] of this.#kept.entries()) {
      const found = like(kept, names, options as Record<string, unknown>);
      if (found === null) continue;
      if (at > 0) this.#first(kept, at);
      return found;
    }
    const kept = this.#made(options);
    this.#first(kept, this.#kept.length);
    if (this.#kept.length > KEPT_RECIPES) this.#kept.pop();
    return kept.found;
  }

  #first(kept: CachedRecipe<R>, at: number): void {
    this.#kept.splice(at, 1);
    this.#kept.unshift(kept);
  }

  #made(options: Options): CachedRecipe<R> {
    checkObject(options);
    const names = Object.keys(options);
    // Each value is read once, so that the value that is checked is the value that is used.
    const own = Object.create(null) as Record<string, unknown>;
    for (const name of names) own[name] = owned((options as Readonly<Record<string, unknown>>)[name]);
    checkOptions(ownOptions(own), this.#name, this.#opened);
    if (own.axis !== undefined) own.axis = checkedAxis(own.axis);
    const { signal: _, onProgress: __, channel, channels, ...asked } = own as Options;
    const which: Channels =
      this.#name === "channels" ? (channels ?? "all") : channel === undefined ? "only" : { channel };
    const recipe = new Recipe(this.#jobs, ownOptions(asked), which, this.#as);
    return {
      names,
      values: names.map((name) => (isTalk(name) ? undefined : own[name])),
      axisAt: names.indexOf("axis"),
      found: { recipe, axis: asked.axis ?? null },
    };
  }
}

/** Copies lists, so that the caller cannot change them. The only other objects among the options are axes. */
function owned(value: unknown): unknown {
  return isList(value) ? Object.freeze(Array.from(value)) : value;
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

/**
 * Returns the cached entry if the options hold the same content. Their axis may be an equal object. Null: they
 * differ.
 */
function like<R>(
  { names: own, values, axisAt, found }: CachedRecipe<R>,
  names: readonly string[],
  options: Readonly<Record<string, unknown>>,
): KnownRecipe<R> | null {
  if (names.length !== own.length) return null;
  let axis = found.axis;
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (name !== own[i]) return null;
    const value = options[name];
    if (isTalk(name)) {
      if (name === "onProgress") checkProgress(value);
      continue;
    }
    if (Object.is(value, values[i])) continue;
    if (i === axisAt && axis !== null && value !== undefined) {
      const given = checkedAxis(value);
      if (!isSameAxis(given, axis)) return null;
      axis = given;
    } else if (!isSameList(value, values[i])) return null;
  }
  return axis === found.axis ? found : { recipe: found.recipe, axis };
}

function isSameList(a: unknown, b: unknown): boolean {
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
