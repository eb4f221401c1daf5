import { type EncodeTarget, loadedOnce } from "@polybin/core/backend";
import type { Context } from "../context.ts";
import type { EncodeJob, Encodings } from "./encodings.ts";

const encoding = loadedOnce(() => import("./encodings.ts"));

/** The recorder of commands in users' encoders, which is loaded when a call first encodes. */
export class LateEncodings {
  readonly #context: Context;
  #opening: Promise<Encodings> | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  async encode(job: EncodeJob, target: EncodeTarget, signal: AbortSignal | undefined): Promise<void> {
    this.#opening ??= encoding().then(({ Encodings }) => new Encodings(this.#context));
    // A load that failed is tried again by the next call.
    this.#opening.catch(() => {
      this.#opening = null;
    });
    return (await this.#opening).encode(job, target, signal);
  }

  /** Drops all buffers. Commands that were encoded stay valid. */
  async close(): Promise<void> {
    const encodings = await this.#opening?.catch(() => null);
    encodings?.close();
  }
}
