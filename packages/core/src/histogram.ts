import { type Axis, edgesOf, integer, regularSpaced, variable } from "./axis.ts";
import type { DeviceTimings } from "./backend.ts";
import { expected, PolybinError } from "./errors.ts";
import { MAX_SAMPLES } from "./limits.ts";
import { type Counts, noCounts } from "./merge.ts";
import { checkNames, checkSwitch } from "./names.ts";
import type { Plan, Slug } from "./plan.ts";
import { SAMPLE_TYPES, type SampleType } from "./samples.ts";

/** Milliseconds of a call. */
export interface Timings extends DeviceTimings {
  readonly totalMs: number;
}

/** How a histogram came about. */
export interface Provenance {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: Slug | null;
  /** Null where nothing had to be counted. */
  readonly plan: Plan | null;
  readonly timings: Timings;
}

/** One histogram in UHI's serialisation schema, version 1. */
export interface UhiHistogram {
  readonly uhi_schema: 1;
  readonly writer_info: { readonly polybin: Readonly<Record<string, string | number | boolean>> };
  readonly axes: readonly [UhiAxis];
  readonly storage: { readonly type: "int"; readonly values: readonly number[] };
}

/** The one axis of a serialised histogram; both flow bins are always there. */
export type UhiAxis = { readonly underflow: true; readonly overflow: true; readonly circular: false } & (
  | { readonly type: "regular"; readonly lower: number; readonly upper: number; readonly bins: number }
  | { readonly type: "variable"; readonly edges: readonly number[] }
);

/** Exact counts over an axis. */
export class Histogram {
  readonly axis: Axis;
  /** The samples' type: it decides to which precision regular edges are rounded. */
  readonly type: SampleType;
  /** bins exact integers. */
  readonly counts: Float64Array;
  /** bins + 1 ascending numbers. */
  readonly edges: Float64Array;
  /** Samples below the first edge. */
  readonly underflow: number;
  /** Samples above the last edge. */
  readonly overflow: number;
  /** Samples that are not a number. */
  readonly nan: number;
  readonly #provenance: Provenance | null;

  constructor(axis: Axis, type: SampleType, counts: Counts, provenance: Provenance | null = null) {
    this.axis = axis;
    this.type = type;
    this.counts = counts.counts;
    this.edges = edgesOf(axis, type);
    this.underflow = counts.underflow;
    this.overflow = counts.overflow;
    this.nan = counts.nan;
    this.#provenance = provenance;
  }

  /** Number of bins. */
  get bins(): number {
    return this.counts.length;
  }

  /** Backend that counted; null for a histogram that was merged or read from JSON, as for the next four. */
  get backend(): string | null {
    return this.#provenance?.backend ?? null;
  }
  get device(): string | null {
    return this.#provenance?.device ?? null;
  }
  get algorithm(): Slug | null {
    return this.#provenance?.algorithm ?? null;
  }
  get plan(): Plan | null {
    return this.#provenance?.plan ?? null;
  }
  get timings(): Timings | null {
    return this.#provenance?.timings ?? null;
  }

  /**
   * Sum of the counts; with `flow` also what fell outside the bins and NaN: then all samples.
   * @throws ERR_INPUT for another option.
   */
  sum(options: { readonly flow?: boolean } = {}): number {
    checkNames(options, ["flow"]);
    checkSwitch(options.flow, "flow");
    const inside = this.counts.reduce((sum, count) => sum + count, 0);
    return options.flow === true ? inside + this.underflow + this.overflow + this.nan : inside;
  }

  /** Counts over their sum and their bin's width, so that the integral over the bins is 1 (NumPy's density). */
  density(): Float64Array {
    const sum = this.sum();
    return this.counts.map((count, i) => count / (this.edges[i + 1]! - this.edges[i]!) / sum);
  }

  /** Running sums: cumulative()[i] = counts[0] + … + counts[i]. */
  cumulative(): Float64Array {
    let sum = 0;
    return this.counts.map((count) => (sum += count));
  }

  /**
   * The histogram of both inputs together; neither is changed.
   * @throws ERR_AXIS unless both have the same edges; ERR_LIMIT where a sum would not be exact any more.
   */
  merge(other: Histogram): Histogram {
    if (!(other instanceof Histogram)) throw expected("ERR_INPUT", "other", "a Histogram", other);
    if (other.axis.type !== this.axis.type || !sameEdges(this.edges, other.edges)) {
      throw new PolybinError(
        "ERR_AXIS",
        `expected the same axis for both histograms but received ${describeAxis(this)} and ${describeAxis(other)}`,
      );
    }
    return new Histogram(this.axis, this.type, {
      counts: this.counts.map((count, i) => exactSum(count, other.counts[i]!)),
      underflow: exactSum(this.underflow, other.underflow),
      overflow: exactSum(this.overflow, other.overflow),
      nan: exactSum(this.nan, other.nan),
    });
  }

  /**
   * In UHI's histogram schema: integer storage with both flow bins. What the schema has no place for (NaN
   * count, sample type, integer axes) stands in `writer_info.polybin`, so that `fromJSON` loses nothing.
   */
  toJSON(): UhiHistogram {
    const { axis, type } = this;
    const flow = { underflow: true, overflow: true, circular: false } as const;
    return {
      uhi_schema: 1,
      writer_info: {
        polybin: {
          type,
          nan: this.nan,
          axis: axis.type,
          ...(axis.type === "regular" ? { spacing: axis.spacing } : {}),
        },
      },
      axes: [
        axis.type === "variable"
          ? { type: "variable", edges: [...axis.edges], ...flow }
          : {
              type: "regular",
              lower: axis.type === "integer" ? axis.start : axis.lo,
              upper: axis.type === "integer" ? axis.stop : axis.hi,
              bins: axis.bins,
              ...flow,
            },
      ],
      storage: { type: "int", values: [this.underflow, ...this.counts, this.overflow] },
    };
  }

  /**
   * Reads `toJSON`'s object, or another writer's histogram of one regular or variable axis.
   * @throws ERR_INPUT for anything else; ERR_AXIS or ERR_LIMIT for an axis that cannot be.
   */
  static fromJSON(json: unknown): Histogram {
    const { axis, type, nan, underflow, overflow, values } = parseUhi(json);
    const counts = noCounts(axis.bins);
    const first = underflow ? 1 : 0;
    if (values.length !== axis.bins + first + (overflow ? 1 : 0)) {
      throw expected("ERR_INPUT", "storage.values", `${axis.bins} counts and the flow bins`, values);
    }
    counts.counts.set(values.slice(first, first + axis.bins));
    counts.underflow = underflow ? values[0]! : 0;
    counts.overflow = overflow ? values[first + axis.bins]! : 0;
    counts.nan = nan;
    return new Histogram(axis, type, counts);
  }
}

/** @throws ERR_LIMIT where the sum is no exact integer any more. */
function exactSum(a: number, b: number): number {
  if (a + b > MAX_SAMPLES) {
    throw new PolybinError(
      "ERR_LIMIT",
      `expected merged counts of at most ${MAX_SAMPLES} but received ${a} + ${b}`,
    );
  }
  return a + b;
}

function sameEdges(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((edge, i) => edge === b[i]);
}

function describeAxis({ axis, edges }: Histogram): string {
  return `${axis.type} with ${axis.bins} bins over [${edges[0]}, ${edges[axis.bins]}]`;
}

interface Parsed {
  axis: Axis;
  type: SampleType;
  nan: number;
  underflow: boolean;
  overflow: boolean;
  values: number[];
}

function parseUhi(json: unknown): Parsed {
  const histogram = record(json, "histogram");
  if (histogram.uhi_schema !== 1) throw expected("ERR_INPUT", "uhi_schema", "1", histogram.uhi_schema);
  const axes = histogram.axes;
  if (!Array.isArray(axes) || axes.length !== 1) throw expected("ERR_INPUT", "axes", "one axis", axes);
  const axis = record(axes[0], "axes[0]");
  const storage = record(histogram.storage, "storage");
  const values = storage.values;
  if (storage.type !== "int") throw expected("ERR_INPUT", "storage.type", '"int"', storage.type);
  if (!Array.isArray(values)) throw expected("ERR_INPUT", "storage.values", "an array of counts", values);
  const wrong = values.findIndex((value) => !isCount(value));
  if (wrong >= 0) throw expected("ERR_INPUT", `storage.values[${wrong}]`, A_COUNT, values[wrong]);
  const writer = isRecord(histogram.writer_info) ? histogram.writer_info.polybin : undefined;
  const own = isRecord(writer) ? writer : {};
  const type = own.type ?? "f64";
  if (!SAMPLE_TYPES.includes(type as SampleType)) {
    throw expected("ERR_INPUT", "writer_info.polybin.type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  }
  const nan = own.nan ?? 0;
  if (!isCount(nan)) throw expected("ERR_INPUT", "writer_info.polybin.nan", A_COUNT, nan);
  return {
    axis: parseAxis(axis, own),
    type: type as SampleType,
    nan,
    underflow: axis.underflow === true,
    overflow: axis.overflow === true,
    values: values as number[],
  };
}

function parseAxis(axis: Record<string, unknown>, own: Record<string, unknown>): Axis {
  if (axis.circular === true) throw expected("ERR_INPUT", "axes[0].circular", "false", true);
  const [lower, upper, bins] = [axis.lower as number, axis.upper as number, axis.bins as number];
  if (axis.type === "variable") return variable(axis.edges as number[]);
  if (axis.type !== "regular") throw expected("ERR_INPUT", "axes[0].type", "regular or variable", axis.type);
  if (own.axis === "integer") {
    if (bins !== upper - lower) {
      throw expected("ERR_INPUT", "axes[0].bins", `${upper - lower}, one an integer,`, bins);
    }
    return integer(lower, upper);
  }
  return regularSpaced(bins, lower, upper, own.spacing === "f32" ? "f32" : "f64");
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (!isRecord(value)) throw expected("ERR_INPUT", name, "an object", value);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const A_COUNT = `a whole number from 0 to ${MAX_SAMPLES}`;

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
