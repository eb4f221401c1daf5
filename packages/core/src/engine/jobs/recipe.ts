import { type Axis, axisBeforehand } from "../../axis/index.ts";
import { type Channels, channelsOf, type SampleType, type Source } from "../../input/index.ts";
import type { Histogram } from "../../result/index.ts";
import { KEPT_JOBS } from "../limits.ts";
import type { HistogramOptions } from "../options/options.ts";
import type { Job, Jobs } from "./prepare.ts";
import { checkSaid } from "./said.ts";

/** The options that decide what a call counts: checked copies, without signal and progress. */
export type Asked = Omit<HistogramOptions, "signal" | "onProgress">;

/** Samples of one size, and their job. */
export interface Planned {
  readonly type: SampleType;
  readonly interleaved: number;
  readonly pixels: number;
  /** The recipe's own axis. The job's axis may be an equal one of the call that created the job. */
  readonly axis: Axis;
  readonly job: Job;
}

/** The shape of samples, as a source reports it. */
type Shape = Pick<Source, "type" | "channels" | "pixels">;

/** Plans the samples of calls with equal options, once per size of input. */
export class Recipe<R> {
  readonly asked: Asked;
  readonly which: Channels;
  /** Converts the histograms of all channels into the result of the call. */
  readonly as: (all: Histogram[]) => R;
  /** Whether timings were requested. */
  readonly timed: boolean;
  readonly #jobs: Jobs;
  /** The last plans, in the order in which they were made. */
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
   * Returns the plan for samples, or null if they must be read first because they decide the axis.
   * @throws ERR_INPUT if the samples contradict the options.
   * @throws ERR_AXIS, ERR_UNSUPPORTED.
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
    checkSaid(this.asked, source);
    const which = channelsOf(source, this.which);
    const axis = axisBeforehand(type, this.asked);
    if (axis === null) return null;
    const planned = this.#planned(source, which, axis);
    this.#last = planned;
    this.#kept.push(planned);
    if (this.#kept.length > KEPT_JOBS) this.#kept.shift();
    return planned;
  }

  /** Plans samples over an axis that was found in them. @throws as `plan` */
  planOver(source: Shape, axis: Axis): Planned {
    checkSaid(this.asked, source);
    return this.#planned(source, channelsOf(source, this.which), axis);
  }

  #planned({ type, channels: interleaved, pixels }: Shape, channels: readonly number[], axis: Axis): Planned {
    const job = this.#jobs.of({ type, pixels, interleaved, channels }, axis, this.asked);
    return { type, interleaved, pixels, axis, job };
  }
}
