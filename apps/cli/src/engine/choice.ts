import {
  type Backend,
  type Engine,
  openEngine,
  type SampleType,
  type SegmentsInit,
  type Slug,
} from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { automaticBackends, backendOf } from "./backends.ts";

/**
 * Values up to which `auto` counts on one JavaScript thread: bytes, and wider values, which take ten times as long. The
 * thread is done before workers (0.1 s and more) or a GPU have started. Computed from processor times on two cores of an
 * AMD EPYC: workers win from about four times this number of bytes, and from twice this number of wider values.
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
    // Without any other backend, an engine has core's own.
    const { segments, joint = false } = this.#where;
    const able = segments !== null ? cuts : joint ? joins : undefined;
    this.#engine ??= await (few ? openEngine() : open(this.#where, able));
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

async function open({ backend, threads }: Where, able = (_: Backend): boolean => true): Promise<Engine> {
  const options = threads === undefined ? {} : { threads };
  if (backend !== "auto") return openEngine({ backend: await backendOf(backend, options) });
  return openEngine({ backends: (await automaticBackends(options)).filter(able) });
}
