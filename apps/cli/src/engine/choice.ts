import {
  type Backend,
  type Engine,
  openEngine,
  type SampleType,
  type SegmentsInit,
  type Slug,
} from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { AT_ONCE, backendOf, IN_MEMORY, openFirst } from "./backends.ts";

/**
 * Values up to which `auto` counts with compiled kernels, or without them on one JavaScript thread: bytes, and wider
 * values, which take longer. They are done before workers or a GPU have started.
 */
const ALONE = { bytes: 2 ** 26, wider: 2 ** 22 };

/** The part of a request that decides where the work is done. */
interface Where {
  readonly backend: string;
  readonly threads: number | undefined;
}

/** The part of a request that decides how `auto` chooses for the work. */
interface Work extends Where {
  readonly algorithm: Slug | "auto";
  readonly segments: SegmentsInit | null;
  /** Whether threads decode the values from a table, which takes longer than to count them. Default: false. */
  readonly table?: boolean;
  /** Whether several columns are counted together, as for groups and masks. Default: false. */
  readonly joint?: boolean;
}

/** The backend of one histogram: the named one, or the one that `auto` takes once the amount of work is known. */
export class Choice implements AsyncDisposable {
  readonly #where: Work;
  #engine: Engine | null;

  private constructor(where: Work, engine: Engine | null) {
    this.#where = where;
    this.#engine = engine;
  }

  /** Opens a named backend at once, so that an unavailable one is reported before anything is read. */
  static async of(where: Work): Promise<Choice> {
    return new Choice(where, where.backend === "auto" ? null : await open(where));
  }

  /** The number of values up to which `auto` counts on one thread. 0 if the user decided otherwise. */
  alone(type: SampleType): number {
    const { backend, threads, algorithm } = this.#where;
    if (backend !== "auto" || threads !== undefined || algorithm !== "auto") return 0;
    return SAMPLE_TRAITS[type].bytes === 1 ? ALONE.bytes : ALONE.wider;
  }

  /** The engine for this number of values. Null means more than `alone`. */
  async engine(values: number | null, type: SampleType): Promise<Engine> {
    const few = values !== null && values <= this.alone(type);
    const { algorithm, segments, joint = false, table = false } = this.#where;
    const has = ({ algorithms }: Backend) =>
      algorithm === "auto" || algorithms.some(({ slug }) => slug === algorithm);
    const does = segments !== null ? cuts : joint ? joins : () => true;
    const able = (backend: Backend) => has(backend) && does(backend);
    const inMemory = table && algorithm === "auto" ? IN_MEMORY : undefined;
    this.#engine ??= await open(this.#where, able, few ? AT_ONCE : inMemory);
    return this.#engine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine?.close();
  }
}

/** Opens the named backend, or the first one with weighted sums that works here. */
export function weightedEngineFor(where: Where): Promise<Engine> {
  return open(where, ({ weighted = [] }) => weighted.length > 0);
}

/** Opens the named backend, or the first one that works here and counts several columns. */
export function engineFor(where: Where): Promise<Engine> {
  return open(where, joins);
}

/** Whether a backend counts segments. */
function cuts({ algorithms }: Backend): boolean {
  return algorithms.some(({ segments = false }) => segments);
}

/** Whether a backend counts several columns. */
function joins({ algorithms }: Backend): boolean {
  return algorithms.some(({ joint }) => joint !== undefined);
}

/** @param ids the backends that `auto` tries before core's own. Default: all. */
async function open(
  { backend, threads }: Where,
  able?: (backend: Backend) => boolean,
  ids?: readonly string[],
): Promise<Engine> {
  const options = threads === undefined ? {} : { threads };
  if (backend !== "auto") return openEngine({ backend: await backendOf(backend, options) });
  return openFirst(options, able, ids);
}
