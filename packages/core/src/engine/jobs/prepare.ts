import { type AlgorithmParameters, planOrReason, selectPlan } from "../../algorithms/index.ts";
import { type Axis, axisKey, type CountedAs, countedAs, type OrderedAxis } from "../../axis/index.ts";
import { kindsOf, type Prepared } from "../../backend/index.ts";
import { Memory, PolybinError } from "../../base/index.ts";
import type { SampleType } from "../../input/index.ts";
import { type Lowering, Lowerings } from "../../lowering/index.ts";
import type { ChannelsPlan, GivenParameters, PlanColumn, PlanRequest } from "../../plan/index.ts";
import { cellsAreBins, type Provenance } from "../../result/index.ts";
import { KEPT_AXES, KEPT_ENGINE_JOBS } from "../limits.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { parametersAmong } from "../opened/parameters.ts";
import { jobKey } from "./key.ts";

/** A count that is checked, lowered, planned and ready to run. */
export interface Job {
  /** Type of the samples that the device counts. */
  readonly type: SampleType;
  readonly interleaved: number;
  readonly channels: readonly number[];
  /** The axis that the device counts over. */
  readonly axis: OrderedAxis;
  /** How samples and codes of the caller's axis become those of `axis`. */
  readonly counted: CountedAs;
  readonly lowering: Lowering;
  readonly plan: ChannelsPlan;
  /** Whether the cells that a device counts are exactly the bins. */
  readonly cellsAreBins: boolean;
  /** The provenance of its results if no timings were requested. */
  readonly provenance: Provenance;
  /** Prepares the device on first use. Samples that all have the same code never reach a device. */
  prepared(): Prepared;
}

/** The shape of samples. */
interface Shape {
  readonly type: SampleType;
  readonly pixels: number;
  readonly interleaved: number;
  readonly channels: readonly number[];
}

/** The options of a call that decide its plan. */
export interface Choice extends AlgorithmParameters {
  readonly algorithm?: string | undefined;
}

/** The samples and the axis that devices count in place of others. Several axes may share a lowering. */
interface OnDevice {
  readonly counted: CountedAs;
  readonly lowering: Lowering;
}

/** Creates jobs and caches the last ones, because planning takes longer than counting a few samples. */
export class Jobs {
  readonly #opened: OpenBackend;
  readonly #lowerings = new Lowerings();
  readonly #axes = new Memory<OnDevice>(KEPT_AXES);
  readonly #kept = new Memory<Job>(KEPT_ENGINE_JOBS);

  constructor(opened: OpenBackend) {
    this.#opened = opened;
  }

  /** Returns the lowering of an axis for samples of a type, over the ordered axis that devices count. */
  lowering(axis: Axis, type: SampleType): Lowering {
    return this.#onDevice(axis, type).lowering;
  }

  /** Returns the ordered axis that devices count over in place of an axis. */
  counted(axis: Axis, type: SampleType): CountedAs {
    return this.#onDevice(axis, type).counted;
  }

  #onDevice(axis: Axis, type: SampleType): OnDevice {
    return this.#axes.of(`${type} ${axisKey(axis)}`, () => {
      const counted = countedAs(axis, type);
      return { counted, lowering: this.#lowerings.of(counted.axis, counted.type) };
    });
  }

  /**
   * @throws ERR_UNSUPPORTED if no algorithm, or not the given one, can count it.
   * @throws ERR_INPUT for a parameter.
   * @throws ERR_AXIS.
   */
  of(shape: Shape, axis: Axis, choice: Choice): Job {
    const { type, pixels, interleaved, channels } = shape;
    const { algorithm = "auto" } = choice;
    const parameters = this.parametersOf(choice);
    const key = jobKey({ axis, type, algorithm, parameters }, [pixels, interleaved, channels]);
    return this.#kept.of(key, () => {
      const counted = this.counted(axis, type);
      const lowering = this.lowering(axis, type);
      const plan = this.plan(algorithm, {
        column: this.column(lowering),
        samples: pixels,
        channels: channels.length,
        parameters,
      });
      const of = { interleaved, channels: Object.freeze([...channels]), counted, lowering, plan };
      return this.#job({ ...of, type: lowering.type, axis: counted.axis });
    });
  }

  #job(of: Omit<Job, "cellsAreBins" | "provenance" | "prepared">): Job {
    const { backend, device } = this.#opened;
    const { plan, lowering } = of;
    let prepared: Prepared | undefined;
    return {
      ...of,
      cellsAreBins: cellsAreBins(plan, lowering),
      provenance: { backend, device: device.name, algorithm: plan.algorithm, plan, timings: null },
      prepared() {
        prepared ??= device.prepare<"channels">({ kind: "channels", ...of });
        return prepared;
      },
    };
  }

  /** Returns a column in the form that is planned. */
  column(lowering: Lowering): PlanColumn {
    return { type: lowering.type, lowering, lookup: this.#opened.device.lookupSizeOf?.(lowering) ?? null };
  }

  /**
   * @throws ERR_UNSUPPORTED if no algorithm, or not the given one, can count it.
   * @throws ERR_INPUT for a parameter.
   */
  plan(algorithm: string, request: Omit<PlanRequest, "algorithm">): ChannelsPlan {
    const { device, algorithms } = this.#opened;
    const missing = this.#withoutSegments(request);
    if (missing !== null) throw new PolybinError("ERR_UNSUPPORTED", missing);
    if (algorithm === "auto") {
      return selectPlan(request, device.limits, algorithms, (found) => device.refuses?.(found) ?? null);
    }
    const found = this.planOrReason({ ...request, algorithm });
    if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm });
    return found;
  }

  /** Returns the plan, or a sentence that states why there is none. @throws ERR_INPUT for a parameter */
  planOrReason(request: PlanRequest): ChannelsPlan | string {
    const { backend, device, algorithms } = this.#opened;
    const missing = this.#withoutSegments(request);
    if (missing !== null) return missing;
    const has = algorithms.map(({ slug }) => slug);
    const isOwn = has.includes(request.algorithm);
    // If the backend lacks a kernel for an algorithm, the algorithm's own rule may state a better reason and
    // alternative.
    const found = planOrReason(request, device.limits, isOwn ? algorithms : undefined);
    if (typeof found === "string") return found;
    if (!isOwn) return `${backend} has no kernel for ${request.algorithm}; it has ${has.join(", ")}`;
    return device.refuses?.(found) ?? found;
  }

  #withoutSegments({ segments }: Pick<PlanRequest, "segments">): string | null {
    const { backend, device } = this.#opened;
    if (!segments || kindsOf(device).includes("segments")) return null;
    return `${backend} cannot count segments: count each segment in its own call`;
  }

  /** Returns the parameters of algorithms among a call's options. */
  parametersOf(options: object): GivenParameters {
    return parametersAmong(options, this.#opened.parameters);
  }
}
