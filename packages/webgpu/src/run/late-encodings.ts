import { type EncodeTarget, loadedOnce } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import type { Hardware } from "../platform/index.ts";
import type { EncodeJob, Encodings } from "./encodings.ts";
import type { Kept } from "./kept.ts";
import type { CountSteps } from "./prepare-count.ts";
import type { Program } from "./program.ts";

const encoding = loadedOnce(() => import("./encodings.ts"));

/** The recorder of commands in users' encoders, which is loaded when a call first encodes. */
export class LateEncodings {
  readonly #open: () => Promise<Encodings>;
  #opening: Promise<Encodings> | null = null;

  constructor(hardware: Hardware, programs: Kept<CountSteps, Program>, of: WebgpuLimits) {
    this.#open = async () => new (await encoding()).Encodings(hardware, programs, of);
  }

  async encode(job: EncodeJob, target: EncodeTarget, signal: AbortSignal | undefined): Promise<void> {
    const opening = this.#opening ?? this.#open();
    this.#opening = opening;
    // A load that failed is tried again by the next call.
    opening.catch(() => {
      this.#opening = null;
    });
    return (await opening).encode(job, target, signal);
  }

  /** Drops all buffers. Commands that were encoded stay valid. */
  async close(): Promise<void> {
    const encodings = await this.#opening?.catch(() => null);
    encodings?.close();
  }
}
