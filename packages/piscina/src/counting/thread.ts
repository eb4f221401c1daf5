import { instantiate, VisibleInstances, type Wasm } from "../platform/index.ts";
import { countCells } from "./cells.ts";
import { countChannels, countFew } from "./channels.ts";
import { extentOfSteps } from "./extent.ts";
import { countSegments } from "./segments.ts";
import { sumBlocks } from "./sums.ts";
import type { Answer, ChannelResult, ChannelsWork, SumsTask, Task } from "./task.ts";

/** Both modules contain the same kernels. Those of `where` count samples in place. */
export interface Modules {
  readonly module: WebAssembly.Module;
  readonly where: WebAssembly.Module;
}

/** The kernels of one thread: a worker, or the calling thread. Their instances are kept for later tasks. */
export class Thread {
  readonly #module: WebAssembly.Module;
  /** Instances over memory that programs filled. */
  readonly #visible: VisibleInstances;
  /** One instance for each channel that is counted side by side with others. */
  readonly #instances: Wasm[] = [];
  /** The instance for weighted sums. Their tables lie elsewhere and take more memory. */
  #weighted: Wasm | null = null;
  readonly #instance = (channel: number): Wasm => (this.#instances[channel] ??= instantiate(this.#module));

  constructor({ module, where }: Modules) {
    this.#module = module;
    this.#visible = new VisibleInstances(where);
  }

  /** Runs a task. @throws ERR_INPUT if the samples no longer exist */
  run(task: Task): Answer {
    try {
      switch (task.kind) {
        case "channels":
          return { kind: "channels", channels: countChannels(task, this.#instance, this.#visible) };
        case "extent":
          return { kind: "extent", extent: extentOfSteps(task, this.#instance(0).input) };
        case "segments":
          return { kind: "segments", wrong: countSegments(task, this.#instance(0)) };
        case "cells":
          return { kind: "cells", masked: countCells(task, this.#visible) };
        default:
          return this.#sums(task);
      }
    } catch (error) {
      // The counts of an unfinished step must not appear in the next task.
      for (const wasm of this.#instances) wasm.reset();
      throw error;
    }
  }

  /** Counts a few samples of one channel. */
  few(work: ChannelsWork, bytes: Uint8Array): ChannelResult {
    return countFew(this.#instance(0), work, bytes);
  }

  #sums(task: SumsTask): Answer {
    const wasm = this.#weighted ?? instantiate(this.#module);
    // A failure drops its partial sums with their memory.
    this.#weighted = null;
    const answer = sumBlocks(task, wasm);
    this.#weighted = wasm;
    return answer;
  }

  /** Forgets the instances, which are megabytes each. */
  clear(): void {
    this.#instances.length = 0;
    this.#weighted = null;
  }
}
