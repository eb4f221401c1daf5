import type { SumsJob } from "../../../backend/index.ts";
import type { ResidentTable } from "../../../input/index.ts";
import type { SumsPlan } from "../../../plan/index.ts";
import { type DeviceTimings, mergeFeature } from "../../../result/index.ts";
import type { BinSums } from "../../../weights/index.ts";
import type { TableDevice } from "../../table/open-tables.ts";
import type { Addends } from "./adder.ts";

/** The bins of a piece's samples on a device, as a table of one feature. */
export class PieceTable {
  readonly #values: Uint8Array | Uint16Array;
  readonly #device: TableDevice;
  readonly #signal: AbortSignal | undefined;
  #resident: ResidentTable | null = null;

  constructor(values: Uint8Array | Uint16Array, device: TableDevice, signal: AbortSignal | undefined) {
    this.#values = values;
    this.#device = device;
    this.#signal = signal;
  }

  /**
   * Adds up weights according to a plan. @returns sums in units of the weights. It adds the time it took to
   * `timings`.
   */
  async add(
    { weights, squares, ...totals }: Addends,
    plan: SumsPlan,
    timings: { -readonly [name in keyof DeviceTimings]: number },
  ): Promise<BinSums> {
    const run = { signal: this.#signal };
    const { length, buffer, byteOffset, byteLength } = this.#values;
    this.#resident ??= await this.#device.uploadTable(
      {
        type: plan.type,
        features: 1,
        documents: length,
        bins: [plan.bins],
        bytes: new Uint8Array(buffer, byteOffset, byteLength),
      },
      run,
    );
    const groups = [{ plan, features: [0], skip: [null] }];
    const job: SumsJob = {
      kind: "sums",
      table: this.#resident,
      groups,
      documents: length,
      listed: false,
      squares: squares !== null,
      timed: false,
    };
    const prepared = await this.#device.prepare<"sums">(job);
    const part = await prepared.count({ weights, squares, documents: null }, run);
    this.#signal?.throwIfAborted();
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += part.timings[name];
    return mergeFeature(part.features[0]!, plan, null, totals);
  }

  async free(): Promise<void> {
    await this.#resident?.free();
  }
}
