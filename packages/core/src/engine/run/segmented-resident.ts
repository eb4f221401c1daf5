import type { ResidentCounts } from "../../backend/index.ts";
import { checkNames, ownOptions, PolybinError } from "../../base/index.ts";
import { checkedWhole, type Segments } from "../../input/index.ts";
import {
  CountedSegments,
  regroupedRows,
  type Segmented,
  type SegmentedOf,
  type Timings,
} from "../../result/index.ts";
import { Lease } from "../opened/lease.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { checkInto } from "../options/segmented-options.ts";

/** The segments, and the code on the result's axis of each code on the device's; null: they are equal. */
interface Cut {
  readonly segments: Pick<Segments, "longest">;
  readonly codes: Uint32Array | null;
}

/**
 * Counts of segments that stay on the device, so that you can read them in parts or later. Free them with `free()`,
 * `await using`, or the engine's `close`.
 */
export class SegmentedResident implements AsyncDisposable {
  /** Number of segments. */
  readonly segments: number;
  /** Number of bins per row. */
  readonly bins: number;
  readonly #opened: OpenBackend;
  readonly #of: SegmentedOf;
  readonly #longest: number;
  /** The code on the result's axis of each code on the device's; null: they are equal. */
  readonly #codes: Uint32Array | null;
  readonly #counts: ResidentCounts;
  readonly #lease: Lease;

  /** @internal Use engine.segments. */
  constructor(
    opened: OpenBackend,
    of: SegmentedOf,
    { segments: { longest }, codes }: Cut,
    counts: ResidentCounts,
  ) {
    this.segments = of.segments;
    this.bins = of.axis.bins;
    this.#opened = opened;
    this.#of = of;
    this.#longest = longest;
    this.#codes = codes;
    this.#counts = counts;
    this.#lease = new Lease(() => counts.free());
  }

  /** Timings of the call, or null if it did not request them. */
  get timings(): Timings | null {
    return this.#of.provenance.timings;
  }

  /** Whether the counts were freed and can no longer be read. */
  get freed(): boolean {
    return this.#lease.freed;
  }

  /**
   * Copies the rows of some segments to the host.
   * @param first the first segment. Default: 0.
   * @param count the number of segments. Default: all from `first` on.
   * @param options `into` is an array of count x bins numbers that receives the counts.
   * @throws ERR_INPUT for rows that do not exist, for an `into` of another size, and after `free`.
   */
  async read(
    first = 0,
    count: number = this.segments - first,
    options: { readonly into?: Uint32Array | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Segmented> {
    const own = ownOptions(options);
    checkNames(own, ["into", "signal"]);
    checkedWhole(first, "first", 0, this.segments);
    checkedWhole(count, "count", 0, this.segments - first);
    const { into, signal } = own;
    checkInto(into, { count, longest: this.#longest }, this.bins);
    return this.#lease.use((freed) =>
      this.#opened.run({ signal }, async (talk) => {
        if (freed) throw new PolybinError("ERR_INPUT", "expected counts on the device but they were freed");
        const codes = this.#codes;
        const found = await this.#counts.read(first, count, codes === null ? { ...talk, into } : talk);
        const rows =
          codes === null ? found : regroupedRows(found, { segments: count, codes, bins: this.bins }, into);
        return new CountedSegments({ ...this.#of, segments: count }, rows);
      }),
    );
  }

  /** Waits for running reads and frees the memory. You can call it more than once. */
  free(): Promise<void> {
    return this.#lease.free();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}
