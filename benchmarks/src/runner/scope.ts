import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folders, engines and programs of a suite. All of them end with the suite, the newest first. */
export class Scope implements AsyncDisposable {
  readonly #owned: (Disposable | AsyncDisposable)[] = [];

  own<One extends Disposable | AsyncDisposable>(one: One): One {
    this.#owned.unshift(one);
    return one;
  }

  /** Makes a folder for files. */
  folder(): string {
    const path = mkdtempSync(join(tmpdir(), "polybin-bench-"));
    this.own({ [Symbol.dispose]: () => rmSync(path, { recursive: true }) });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#owned)
      await (Symbol.asyncDispose in one ? one[Symbol.asyncDispose]() : one[Symbol.dispose]());
  }
}
