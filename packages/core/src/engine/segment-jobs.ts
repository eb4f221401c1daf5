import type { Axis, CountedAs } from "../axis/index.ts";
import type { CountJob, PreparedSegments } from "../backend/index.ts";
import type { Segments } from "../input/index.ts";
import type { Lowering } from "../lowering/index.ts";
import type { Host } from "./host.ts";
import { KEPT_JOBS } from "./limits.ts";
import { type Choice, type Jobs, keyOf } from "./prepare.ts";

/** A count of segments. */
export interface SegmentJob extends CountJob {
  /** How codes of the caller's axis become those of `axis`. */
  readonly counted: CountedAs;
}

/** Plans segments, and caches the last jobs. */
export class SegmentJobs {
  readonly #host: Host;
  readonly #jobs: Jobs;
  readonly #kept = new WeakMap<Lowering, Map<string, SegmentJob>>();
  readonly #prepared = new WeakMap<CountJob, PreparedSegments>();

  constructor(host: Host, jobs: Jobs) {
    this.#host = host;
    this.#jobs = jobs;
  }

  /**
   * @throws ERR_UNSUPPORTED if no algorithm, or not the given one, can count them.
   * @throws ERR_INPUT for a parameter.
   * @throws ERR_AXIS.
   */
  of(
    { type, interleaved, channels, pixels }: Shape,
    { count, longest }: Pick<Segments, "count" | "longest">,
    axis: Axis,
    choice: Choice,
  ): SegmentJob {
    const jobs = this.#jobs;
    const { algorithm = "auto" } = choice;
    const counted = jobs.counted(axis, type);
    const lowering = jobs.lowering(axis, type);
    const parameters = jobs.parametersOf(choice);
    const key = keyOf([pixels, interleaved, channels, algorithm, count, longest, type], parameters);
    const kept = this.#kept.get(lowering) ?? new Map<string, SegmentJob>();
    this.#kept.set(lowering, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const plan = jobs.plan(algorithm, {
      columns: [jobs.column(lowering)],
      samples: pixels,
      channels: channels.length,
      parameters,
      segments: { count, longest },
    });
    const own = Object.freeze([...channels]);
    const job = {
      type: lowering.type,
      interleaved,
      channels: own,
      axis: counted.axis,
      counted,
      lowering,
      plan,
    };
    kept.set(key, job);
    // A Map's first entry is its oldest.
    if (kept.size > KEPT_JOBS) kept.delete(kept.keys().next().value!);
    return job;
  }

  /** Returns the device's preparation of a job, the same object for the same job. */
  prepared(job: CountJob): PreparedSegments {
    const known = this.#prepared.get(job);
    if (known !== undefined) return known;
    // A plan for segments exists only if the device counts them.
    const made = this.#host.device.prepareSegments!(job);
    this.#prepared.set(job, made);
    return made;
  }
}

interface Shape extends Pick<CountJob, "type" | "interleaved" | "channels"> {
  readonly pixels: number;
}
