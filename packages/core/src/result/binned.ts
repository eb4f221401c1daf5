import { type Axis, edgesOf } from "../axis/index.ts";
import { checkNames, checkSwitch, MAX_SAMPLES, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Plan } from "../plan/index.ts";
import type { DeviceTimings } from "./counted.ts";
import {
  type CarriedPair,
  NOTHING_CARRIED,
  type UhiHistogram,
  type UhiRecord,
  type UhiStorage,
} from "./uhi/schema.ts";
import { writeUhi } from "./uhi/write.ts";

/** Milliseconds of a call. */
export interface Timings extends DeviceTimings {
  readonly totalMs: number;
}

/** What a plan says whose it is by. */
interface Planned {
  readonly algorithm: string;
}

/** How a result came about. */
export interface Provenance<P extends Planned = Plan> {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: P["algorithm"] | null;
  /** Null where nothing had to be counted. */
  readonly plan: P | null;
  /** Null where nobody asked for them. */
  readonly timings: Timings | null;
}

/** What is in no bin. */
export interface Flow {
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
}

/** What results over one axis share, whatever their bins hold: counts or sums. */
export abstract class Binned<P extends Planned = Plan> {
  readonly axis: Axis;
  /** The samples' type: it decides to which precision regular edges are rounded. */
  readonly type: SampleType;
  /** bins + 1 ascending numbers. They are built when they are first asked for, and are this result's own. */
  declare readonly edges: Float64Array;
  #edges: Float64Array | null;
  readonly #content: Float64Array;
  readonly #provenance: Provenance<P> | null;
  readonly #carried: CarriedPair;

  /** An own property, so that a spread or cloned result still has its edges; one function serves all results. */
  static readonly #EDGES: PropertyDescriptor & ThisType<Binned> = {
    enumerable: true,
    get() {
      this.#edges ??= edgesOf(this.axis, this.type);
      return this.#edges;
    },
  };

  /**
   * @param content what the bins hold, one number each
   * @throws ERR_AXIS where edges fall together. An engine has found that out before it counts.
   */
  constructor(
    axis: Axis,
    type: SampleType,
    content: Float64Array,
    provenance: Provenance<P> | null,
    carried: CarriedPair = NOTHING_CARRIED,
  ) {
    this.axis = axis;
    this.type = type;
    this.#edges = provenance === null ? edgesOf(axis, type) : null;
    this.#content = content;
    this.#provenance = provenance;
    this.#carried = carried;
    Object.defineProperty(this, "edges", Binned.#EDGES);
  }

  /** Sums what fell outside the bins and NaN. */
  protected abstract get outside(): readonly number[];

  /** Number of bins. */
  get bins(): number {
    return this.#content.length;
  }

  /** Backend that counted; null for a result that was merged or read from JSON, as for the next four. */
  get backend(): string | null {
    return this.#provenance?.backend ?? null;
  }
  get device(): string | null {
    return this.#provenance?.device ?? null;
  }
  get algorithm(): P["algorithm"] | null {
    return this.#provenance?.algorithm ?? null;
  }
  get plan(): P | null {
    return this.#provenance?.plan ?? null;
  }
  /** Also null of a call that did not ask for them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }

  /** Metadata of the file that it was read from; else empty. */
  get metadata(): UhiRecord {
    return this.#carried.histogram.metadata;
  }

  /** The same of its axis. */
  get axisMetadata(): UhiRecord {
    return this.#carried.axis.metadata;
  }

  /** What its file said beside axis and numbers. */
  protected get carried(): CarriedPair {
    return this.#carried;
  }

  /** The result in UHI's schema; `own`: what the schema has no place for. */
  protected written<S extends UhiStorage>(storage: S, own: UhiRecord): UhiHistogram<S> {
    return writeUhi(this.axis, this.type, this.#carried, storage, own);
  }

  /** Sum of the bins; with `flow` also of what fell outside them and of NaN. @throws ERR_INPUT for another option. */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    return options.flow === true ? sumOf([...this.#content, ...this.outside]) : sumOf(this.#content);
  }

  /** The bins over their sum and their width, so that the integral over the bins is 1 (NumPy's density). */
  density(): Float64Array {
    const sum = this.sum();
    const { edges } = this;
    return this.#content.map((value, i) => value / (edges[i + 1]! - edges[i]!) / sum);
  }

  /** Running sums: cumulative()[i] = bin 0 + … + bin i. */
  cumulative(): Float64Array {
    let sum = 0;
    return this.#content.map((value) => (sum += value));
  }
}

/**
 * The sum with what each addition rounds off added at the end (Neumaier): of counts the nearest double, of sums of
 * either sign not what cancelling leaves of it.
 */
function sumOf(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** @throws ERR_AXIS unless both have an axis of the same kind with the same edges. */
export function checkSameAxis(a: Binned<Planned>, b: Binned<Planned>): void {
  if (a.axis === b.axis && a.type === b.type) return;
  if (a.axis.type === b.axis.type && sameNumbers(edgesOf(a.axis, a.type), edgesOf(b.axis, b.type))) return;
  throw new PolybinError(
    "ERR_AXIS",
    `expected the same axis for both histograms but received ${describe(a)} and ${describe(b)}`,
  );
}

/** @throws ERR_LIMIT where the sum is no exact integer any more. */
export function exactSum(a: number, b: number): number {
  if (a + b > MAX_SAMPLES) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected merged counts of at most ${MAX_SAMPLES} but received ${a} + ${b}`,
    );
  }
  return a + b;
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function describe({ axis, type }: Binned<Planned>): string {
  const edges = edgesOf(axis, type);
  return `${axis.type} with ${axis.bins} bins over [${edges[0]}, ${edges[axis.bins]}]`;
}
