import type { Axis, CountedAs } from "../../axis/index.ts";
import type { CountJob, PreparedOf } from "../../backend/index.ts";
import { Memory } from "../../base/index.ts";
import type { Segments } from "../../input/index.ts";
import { KEPT_ENGINE_JOBS } from "../limits.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { jobKey } from "./key.ts";
import type { Choice, Jobs } from "./prepare.ts";
import { preparedOnce } from "./prepared-once.ts";

/** A count of segments. */
export interface SegmentJob extends CountJob {
  /** How codes of the caller's axis become those of `axis`. */
  readonly counted: CountedAs;
  /** Prepares the device on first use. */
  prepared(): PreparedOf<"segments">;
}

/** Plans segments, and caches the last jobs. */
export class SegmentJobs {
  readonly #opened: OpenBackend;
  readonly #jobs: Jobs;
  readonly #kept = new Memory<SegmentJob>(KEPT_ENGINE_JOBS);

  constructor(opened: OpenBackend, jobs: Jobs) {
    this.#opened = opened;
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
    const parameters = jobs.parametersOf(choice);
    const shape = [pixels, interleaved, channels, count, longest];
    return this.#kept.of(jobKey({ axis, type, algorithm, parameters }, shape), () => {
      const counted = jobs.counted(axis, type);
      const lowering = jobs.lowering(axis, type);
      const plan = jobs.plan(algorithm, {
        column: jobs.column(lowering),
        samples: pixels,
        channels: channels.length,
        parameters,
        segments: { count, longest },
      });
      const of = { interleaved, channels: Object.freeze([...channels]), counted, lowering, plan };
      const job = { ...of, type: lowering.type, axis: counted.axis };
      // A plan for segments exists only if the device counts them.
      const prepare = () => this.#opened.device.prepare<"segments">({ kind: "segments", ...job });
      return { ...job, prepared: preparedOnce(prepare) };
    });
  }
}

interface Shape extends Pick<CountJob, "type" | "interleaved" | "channels"> {
  readonly pixels: number;
}
