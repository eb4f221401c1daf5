import { type Axis, edgesOf, isClosed, isSameAxis, kindOf, type OrderedAxis } from "../axis/index.ts";
import { checkNames, checkSwitch, clip, expected, MAX_SAMPLES, PolybinError } from "../base/index.ts";
import type { SampleType } from "../input/index.ts";
import type { Plan } from "../plan/index.ts";
import type { DeviceTimings } from "./counted.ts";
import { A_COUNT, isCount } from "./uhi/json.ts";
import {
  type CarriedPair,
  NOTHING_CARRIED,
  type UhiHistogram,
  type UhiRecord,
  type UhiStorage,
} from "./uhi/schema.ts";
import { writeUhi } from "./uhi/write.ts";

/** Durations of a call in milliseconds. */
export interface Timings extends DeviceTimings {
  /** The whole call. */
  readonly totalMs: number;
}

/** The part of a plan that names its algorithm. */
export interface Planned {
  readonly algorithm: string;
}

/** How a result was made. */
export interface Provenance<P extends Planned = Plan> {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: P["algorithm"] | null;
  /** Null if nothing had to be counted. */
  readonly plan: P | null;
  /** Null if no timings were requested. */
  readonly timings: Timings | null;
}

/** Counts or sums outside the bins. */
export interface Flow {
  /** Below the first edge. */
  readonly underflow: number;
  /** Above the last edge. */
  readonly overflow: number;
  /** NaN samples. */
  readonly nan: number;
}

/** A bin with its edges and its number of samples, in the words of d3. It has no array of the samples. */
export interface Bin {
  /** The left edge. */
  readonly x0: number;
  /** The right edge. */
  readonly x1: number;
  /** Number of samples. */
  readonly length: number;
}

/** The common part of all results over one axis, whether their bins hold counts or sums. */
export abstract class Binned<P extends Planned = Plan> {
  /** The axis of the bins. */
  readonly axis: Axis;
  /** Type of the samples. It decides the precision to which regular edges are rounded. */
  readonly type: SampleType;
  /** bins + 1 ascending numbers. They are computed on first access and belong to this result. */
  declare readonly edges: Float64Array;
  #edges: Float64Array | null;
  readonly #content: Float64Array;
  readonly #provenance: Provenance<P> | null;
  readonly #carried: CarriedPair;

  /** Makes `edges` an own property, so that spread and cloned results keep it. All results share one getter. */
  static readonly #EDGES: PropertyDescriptor & ThisType<Binned> = {
    enumerable: true,
    get() {
      this.#edges ??= edgesOf(this.axis, this.type);
      return this.#edges;
    },
  };

  /**
   * @param content the number in each bin.
   * @throws ERR_AXIS if edges are equal in the samples' precision. An engine checks this before it counts.
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

  /** The numbers outside the bins, for `sum({ flow: true })`. */
  protected abstract get outside(): readonly number[];

  /** Number of bins. */
  get bins(): number {
    return this.#content.length;
  }

  /** Id of the backend that counted. Null, as the next four, for a result that was merged or read from JSON. */
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
  /** Timings of the call. Also null if the call did not request them. */
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }

  /** Metadata of the file that it was read from, otherwise empty. */
  get metadata(): UhiRecord {
    return this.#carried.histogram.metadata;
  }

  /** Metadata of the axis in the file that it was read from, otherwise empty. */
  get axisMetadata(): UhiRecord {
    return this.#carried.axis.metadata;
  }

  /** Content of its file other than the axis and the numbers. */
  protected get carried(): CarriedPair {
    return this.#carried;
  }

  /** Writes the result in UHI's schema. @param own data that the schema has no place for */
  protected written<S extends UhiStorage>(storage: S, own: UhiRecord): UhiHistogram<S> {
    return writeUhi(this.axis, this.type, this.#carried, storage, own);
  }

  /**
   * Returns the sum of the bins, with `flow` also of underflow, overflow and NaN. @throws ERR_INPUT for an unknown
   * option.
   */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    return options.flow === true ? sumOf([...this.#content, ...this.outside]) : sumOf(this.#content);
  }

  /**
   * Returns the bins divided by their sum and their width, so that the integral over the bins is 1 (NumPy's density).
   */
  density(): Float64Array {
    const sum = this.sum();
    const { edges } = this;
    return this.#content.map((value, i) => value / (edges[i + 1]! - edges[i]!) / sum);
  }

  /** Returns running sums: cumulative()[i] = bin 0 + … + bin i. */
  cumulative(): Float64Array {
    let sum = 0;
    return this.#content.map((value) => (sum += value));
  }
}

/**
 * Adds numbers with Neumaier's compensation for rounding. The sum of counts is the nearest double, and sums with
 * cancellation stay accurate.
 */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** The properties that decide where edges lie. */
type Edged = Pick<Binned<Planned>, "axis" | "type">;

/** Returns true for axes of the same kind with the same bins. */
export function hasSameBins(a: Edged, b: Edged): boolean {
  if (a.axis === b.axis && a.type === b.type) return true;
  if (a.axis.type !== b.axis.type) return false;
  if (kindOf(a.axis) !== undefined) return isSameAxis(a.axis, b.axis);
  if (isClosed(a.axis as OrderedAxis) !== isClosed(b.axis as OrderedAxis)) return false;
  return sameNumbers(edgesOf(a.axis, a.type), edgesOf(b.axis, b.type));
}

/** @throws ERR_AXIS unless both have an axis of the same kind with the same edges. */
export function checkSameAxis(a: Edged, b: Edged): void {
  if (hasSameBins(a, b)) return;
  throw new PolybinError(
    "ERR_AXIS",
    `expected the same axis for both histograms but received ${toldApart(a, b).join(" and ")}`,
  );
}

/** Adds counts. @throws ERR_LIMIT if the sum is no longer an exact integer. */
export function exactSum(a: number, b: number): number {
  if (a + b > MAX_SAMPLES) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected merged counts of at most ${MAX_SAMPLES} but received ${a} + ${b}`,
    );
  }
  return a + b;
}

/** Checks sums of counts. @throws ERR_LIMIT if one is no longer an exact integer. */
export function checkExact(counts: Iterable<number>): void {
  for (const count of counts) if (count > MAX_SAMPLES) exactSum(count, 0);
}

/** Returns the number of masked samples. @throws ERR_INPUT unless it is a count. */
export function checkedMasked(masked: number): number {
  if (isCount(masked)) return masked;
  throw expected("ERR_INPUT", "masked", A_COUNT, masked);
}

/** Combines two numbers of the same bin, or of the same property. */
export type Combine = (a: number, b: number, property?: "masked") => number;

/** Subtracts counts. @throws ERR_INPUT if the difference is negative. */
export function exactDifference(a: number, b: number, property?: "masked"): number {
  if (a >= b) return a - b;
  const found =
    property === undefined ? `${b} in a bin with ${a}` : `${b} samples ${property}, not at most ${a}`;
  throw new PolybinError("ERR_INPUT", `expected a histogram of some of the same samples but it has ${found}`);
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Describes an axis, for messages. */
export function describe({ axis, type }: Edged): string {
  const bins = `${axis.type} with ${axis.bins} bins`;
  if (axis.type === "category") return `${bins} (${clip(axis.values.join(", "))})`;
  const edges = edgesOf(axis, type);
  const isOpen = axis.type === "integer" || (axis as { readonly closed?: boolean }).closed === false;
  return `${bins} over [${edges[0]}, ${edges[axis.bins]}${isOpen ? ")" : "]"}`;
}

/** Describes two axes that differ. If one text fits both, it has the first value or edge that differs. */
export function toldApart(a: Edged, b: Edged): [string, string] {
  const [first, second] = [describe(a), describe(b)];
  if (first !== second || hasSameBins(a, b)) return [first, second];
  const [x, y] = [a, b].map(({ axis, type }): readonly unknown[] =>
    axis.type === "category" ? axis.values : [...edgesOf(axis, type)],
  );
  const at = x!.findIndex((value, i) => value !== y![i]);
  if (at < 0)
    return [first, second].map((text, i) => `${text} with code ${firstCodeOf([a, b][i]!)} first`) as [
      string,
      string,
    ];
  const what = a.axis.type === "category" ? "value" : "edge";
  return [`${first} with ${what} ${at} ${x![at]}`, `${second} with ${what} ${at} ${y![at]}`];
}

/** The code of the first string of a category axis, which differs if the axes were sliced differently. */
function firstCodeOf({ axis }: Edged): number {
  return (axis.type === "category" && axis.firstCode) || 0;
}
