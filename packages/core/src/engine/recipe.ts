import { type Axis, axisBeforehand } from "../axis/index.ts";
import { expected } from "../base/index.ts";
import { type Channels, channelsOf, SAMPLE_TRAITS, type SampleType, type Source } from "../input/index.ts";
import type { Histogram } from "../result/index.ts";
import { KEPT_JOBS } from "./limits.ts";
import type { HistogramOptions } from "./options.ts";
import type { Job, Jobs } from "./prepare.ts";

/** What a call is told, but for how it talks: checked, and nobody else's. */
export type Asked = Omit<HistogramOptions, "signal" | "onProgress">;

/** Samples of a size, and how they are counted. */
export interface Planned {
  readonly type: SampleType;
  readonly interleaved: number;
  readonly pixels: number;
  /** The recipe's own; the job's may be an equal one, of the call that it was made for. */
  readonly axis: Axis;
  readonly job: Job;
}

/** The shape of samples, as a source tells it. */
type Shape = Pick<Source, "type" | "channels" | "pixels">;

/** How the samples of like calls are counted: worked out once for each size of input. */
export class Recipe<R> {
  readonly asked: Asked;
  readonly which: Channels;
  /** What a call returns of the histograms of all its channels. */
  readonly as: (all: Histogram[]) => R;
  /** Are times asked for? */
  readonly timed: boolean;
  readonly #jobs: Jobs;
  /** In the order in which they were made, the last ones. */
  readonly #kept: Planned[] = [];
  #last: Planned | null = null;

  constructor(jobs: Jobs, asked: Asked, which: Channels, as: (all: Histogram[]) => R) {
    this.#jobs = jobs;
    this.asked = asked;
    this.which = which;
    this.as = as;
    this.timed = asked.timings === true;
  }

  /**
   * How samples are counted; null where they must be read first, since they decide the axis.
   * @throws ERR_INPUT where they are not those that the options tell of; ERR_AXIS, ERR_UNSUPPORTED
   */
  plan(source: Shape): Planned | null {
    const { type, channels, pixels } = source;
    const last = this.#last;
    if (last !== null && last.pixels === pixels && last.type === type && last.interleaved === channels) {
      return last;
    }
    for (const kept of this.#kept) {
      if (kept.pixels === pixels && kept.type === type && kept.interleaved === channels) {
        this.#last = kept;
        return kept;
      }
    }
    this.#checkSaid(source);
    const which = channelsOf(source, this.which);
    const axis = axisBeforehand(type, this.asked);
    if (axis === null) return null;
    const planned = this.#planned(source, which, axis);
    this.#last = planned;
    this.#kept.push(planned);
    if (this.#kept.length > KEPT_JOBS) this.#kept.shift();
    return planned;
  }

  /** The same over an axis that was found in the samples. @throws as `plan` */
  planOver(source: Shape, axis: Axis): Planned {
    this.#checkSaid(source);
    return this.#planned(source, channelsOf(source, this.which), axis);
  }

  #planned({ type, channels: interleaved, pixels }: Shape, channels: readonly number[], axis: Axis): Planned {
    const job = this.#jobs.of({ type, pixels, interleaved, channels }, axis, this.asked);
    return { type, interleaved, pixels, axis, job };
  }

  /** What options say of an input that knows better. @throws ERR_INPUT where they differ */
  #checkSaid(source: Shape): void {
    const { type = source.type, interleaved = source.channels, bytes } = this.asked;
    if (type !== source.type) {
      throw expected("ERR_INPUT", "type", `${source.type}, which these samples are,`, type);
    }
    if (interleaved !== source.channels) {
      throw expected("ERR_INPUT", "interleaved", `${source.channels}, which these samples are,`, interleaved);
    }
    const size = source.pixels * source.channels * SAMPLE_TRAITS[source.type].bytes;
    if (bytes !== undefined && bytes !== size) {
      throw expected("ERR_INPUT", "bytes", `${size}, which these samples are,`, bytes);
    }
  }
}
