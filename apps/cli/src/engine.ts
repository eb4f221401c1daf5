import { type Backend, type Engine, openEngine, type SampleType } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { automaticBackends, backendOf } from "./backends.ts";
import type { Request } from "./request.ts";

/**
 * Values up to which `auto` counts on one JavaScript thread: bytes, and wider ones, which take it ten times as long. Before
 * it is done, workers would hardly have started (0.1 s and more), nor would a GPU. Reckoned from times of processors, two
 * cores of an AMD EPYC: workers win from about four times as many bytes on, and from twice as many wider values.
 */
const ALONE = { bytes: 2 ** 26, wider: 2 ** 22 };

/** What of a request decides where it is worked on. */
type Where = Pick<Request, "backend" | "threads">;
type HistWhere = Pick<Request, "backend" | "threads" | "algorithm" | "segments">;

/** The backend of one histogram: the one that was asked for, or what `auto` takes once it is known what there is to count. */
export class Choice implements AsyncDisposable {
  readonly #where: HistWhere;
  #engine: Engine | null;

  private constructor(where: HistWhere, engine: Engine | null) {
    this.#where = where;
    this.#engine = engine;
  }

  /** Opens a named backend at once, so that the error for one that is not here comes before anything is read. */
  static async of(where: HistWhere): Promise<Choice> {
    return new Choice(where, where.backend === "auto" ? null : await open(where));
  }

  /** More values of a type than these are never counted on one thread by `auto`; 0 where it is not asked. */
  alone(type: SampleType): number {
    const { backend, threads, algorithm } = this.#where;
    if (backend !== "auto" || threads !== undefined || algorithm !== "auto") return 0;
    return SAMPLE_TRAITS[type].bytes === 1 ? ALONE.bytes : ALONE.wider;
  }

  /** The engine for so many values; null: for more than `alone`. */
  async engine(values: number | null, type: SampleType): Promise<Engine> {
    const few = values !== null && values <= this.alone(type);
    // Core's own backend is what an engine has without any other.
    const { segments } = this.#where;
    this.#engine ??= await (few ? openEngine() : open(this.#where, segments === null ? undefined : cuts));
    return this.#engine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine?.close();
  }
}

/** Opens the backend that was asked for, or the first that works here among those that have weighted sums. */
export function weightedEngineFor(where: Where): Promise<Engine> {
  return open(where, ({ weighted = [] }) => weighted.length > 0);
}

/** Does it count segments? */
function cuts({ algorithms }: Backend): boolean {
  return algorithms.some(({ segments = false }) => segments);
}

async function open({ backend, threads }: Where, able = (_: Backend): boolean => true): Promise<Engine> {
  const options = threads === undefined ? {} : { threads };
  if (backend !== "auto") return openEngine({ backend: await backendOf(backend, options) });
  return openEngine({ backends: (await automaticBackends(options)).filter(able) });
}
