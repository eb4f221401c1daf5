import type { BigIntStats } from "node:fs";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PolybinError } from "@polybin/core";

/** A regular file that must not change after the command opened it, so that all reads see the same file. */
export class Unchanged {
  readonly path: string;
  readonly bytes: number;
  readonly #state: BigIntStats;

  constructor(path: string, state: BigIntStats) {
    this.path = path;
    this.bytes = Number(state.size);
    this.#state = state;
  }

  /** @throws ERR_INPUT if the file was replaced or written to */
  async check(): Promise<void> {
    const now = await stat(this.path, { bigint: true });
    const names = ["dev", "ino", "size", "mtimeNs"] as const;
    if (names.some((name) => now[name] !== this.#state[name])) throw this.#changed(`${now.size} now`);
  }

  /** Its bytes from the first to the last. @throws ERR_INPUT if their number or the file has changed */
  async *read(readBytes: number): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of createReadStream(this.path, { highWaterMark: readBytes })) {
      bytes += chunk.length;
      if (bytes > this.bytes) throw this.#changed(`${bytes} or more now`);
      yield chunk;
    }
    if (bytes < this.bytes) throw this.#changed(`${bytes} now`);
    await this.check();
  }

  #changed(now: string): PolybinError {
    return new PolybinError(
      "ERR_INPUT",
      `expected ${this.path} to stay unchanged while it is read but it changed (it had ${this.bytes} bytes and has ` +
        `${now}); nothing was counted; a pipe counts the bytes as they come: cat FILE | polybin … -`,
    );
  }
}
