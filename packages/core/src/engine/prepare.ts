import { type Parameters, planOrReason, selectPlan } from "../algorithms/index.ts";
import type { Axis } from "../axis/index.ts";
import type { Prepared } from "../backend/index.ts";
import { PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import { type Lowering, Lowerings } from "../lowering/index.ts";
import type { GivenParameters, Plan, PlanColumn, PlanRequest } from "../plan/index.ts";
import { cellsAreBins, type Provenance } from "../result/index.ts";
import type { Host } from "./host.ts";
import { KEPT_JOBS } from "./limits.ts";
import { parametersAmong } from "./parameters.ts";

/** What is counted, and how: checked, lowered, planned, and ready to run. */
export interface Job {
  readonly type: SampleType;
  readonly interleaved: number;
  readonly channels: readonly number[];
  readonly axis: Axis;
  readonly lowering: Lowering;
  readonly plan: Plan;
  /** Are the cells that a device counts the bins as they are? */
  readonly cellsAreBins: boolean;
  /** What its results say of themselves where no times were asked for. */
  readonly provenance: Provenance;
  /** Made when it is first needed: samples of one constant code never come to a device. */
  prepared(): Prepared;
}

/** A shape of samples. */
interface Shape {
  readonly type: SampleType;
  readonly pixels: number;
  readonly interleaved: number;
  readonly channels: readonly number[];
}

/** What of a call's options decides its plan. */
export interface Choice extends Parameters {
  readonly algorithm?: string | undefined;
}

/** Makes jobs, and keeps those made lately: planning takes longer than the counting of a few samples. */
export class Jobs {
  readonly #host: Host;
  readonly #lowerings = new Lowerings();
  /** By their lowering, which is the same object for the same axis and type as long as it is kept. */
  readonly #kept = new WeakMap<Lowering, Map<string, Job>>();

  constructor(host: Host) {
    this.#host = host;
  }

  lowering(axis: Axis, type: SampleType): Lowering {
    return this.#lowerings.of(axis, type);
  }

  /** @throws ERR_UNSUPPORTED where no algorithm, or not the given one, can; ERR_INPUT for a parameter; ERR_AXIS */
  of(shape: Shape, axis: Axis, choice: Choice): Job {
    const lowering = this.lowering(axis, shape.type);
    const { type, pixels, interleaved, channels } = shape;
    const { algorithm = "auto" } = choice;
    const parameters = this.parametersOf(choice);
    const key = keyOf([pixels, interleaved, channels, algorithm], parameters);
    const kept = this.#kept.get(lowering) ?? new Map<string, Job>();
    this.#kept.set(lowering, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const plan = this.plan(algorithm, {
      columns: [this.column(type, lowering)],
      samples: pixels,
      channels: channels.length,
      parameters,
    });
    const own = Object.freeze([...channels]);
    const job = this.#job({ type, interleaved, channels: own, axis, lowering, plan });
    kept.set(key, job);
    // The oldest entry of a Map is its first.
    if (kept.size > KEPT_JOBS) kept.delete(kept.keys().next().value!);
    return job;
  }

  #job(of: Omit<Job, "cellsAreBins" | "provenance" | "prepared">): Job {
    const { backend, device } = this.#host;
    const { plan, lowering } = of;
    let prepared: Prepared | undefined;
    return {
      ...of,
      cellsAreBins: cellsAreBins(plan, lowering),
      provenance: { backend, device: device.name, algorithm: plan.algorithm, plan, timings: null },
      prepared() {
        prepared ??= device.prepare(of);
        return prepared;
      },
    };
  }

  /** A column as a plan sees it. */
  column(type: SampleType, lowering: Lowering): PlanColumn {
    return { type, lowering, lookup: this.#host.device.lookupSizeOf?.(lowering) ?? null };
  }

  /** @throws ERR_UNSUPPORTED where no algorithm, or not the given one, can; ERR_INPUT for a parameter */
  plan(algorithm: string, request: Omit<PlanRequest, "algorithm">): Plan {
    const { device, algorithms } = this.#host;
    const missing = this.#withoutSegments(request);
    if (missing !== null) throw new PolybinError("ERR_UNSUPPORTED", missing);
    if (algorithm === "auto") {
      return selectPlan(request, device.limits, algorithms, (found) => device.refuses?.(found) ?? null);
    }
    const found = this.planOrReason({ ...request, algorithm });
    if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm });
    return found;
  }

  /** The plan, or why there is none. @throws ERR_INPUT for a parameter */
  planOrReason(request: PlanRequest): Plan | string {
    const { backend, device, algorithms } = this.#host;
    const missing = this.#withoutSegments(request);
    if (missing !== null) return missing;
    const has = algorithms.map(({ slug }) => slug);
    const isOwn = has.includes(request.algorithm);
    // One that it has no kernel for may say itself why such a device has none, and what to take instead.
    const found = planOrReason(request, device.limits, isOwn ? algorithms : undefined);
    if (typeof found === "string") return found;
    if (!isOwn) return `${backend} has no kernel for ${request.algorithm}; it has ${has.join(", ")}`;
    return device.refuses?.(found) ?? found;
  }

  #withoutSegments({ segments }: Pick<PlanRequest, "segments">): string | null {
    const { backend, device } = this.#host;
    if (!segments || device.prepareSegments !== undefined) return null;
    return `${backend} counts no segments: count each by itself`;
  }

  /** The algorithms' parameters among a call's options. */
  parametersOf(options: object): GivenParameters {
    return parametersAmong(options, this.#host.parameters);
  }
}

/** Wrong values have no key of a right one: of symbols and the like JSON knows nothing. */
export function keyOf(shape: readonly unknown[], parameters: GivenParameters): string {
  const given = Object.entries(parameters).map(([name, value]) => [name, typeof value, plain(value)]);
  return JSON.stringify([...shape, given]);
}

function plain(value: unknown): unknown {
  return typeof value === "number" || typeof value === "string" ? value : null;
}
