import { FlowProducer, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { type Address, connect } from "./connect.ts";
import { PREFIX, QUEUE } from "./keys.ts";
import type { Spill } from "./spill.ts";
import { Store } from "./store.ts";

/** The connections of a command that adds, watches or ends jobs. */
export class Client implements AsyncDisposable {
  readonly store: Store;
  readonly queue: Queue;
  readonly flows: FlowProducer;
  readonly #redis: Redis;

  private constructor(redis: Redis, spill: Spill | null) {
    this.#redis = redis;
    this.store = new Store(redis, spill);
    const options = { connection: redis, prefix: PREFIX };
    this.queue = new Queue(QUEUE, options);
    this.flows = new FlowProducer(options);
    // A command that fails reports the error.
    this.queue.on("error", () => {});
    this.flows.on("error", () => {});
  }

  /** @throws ERR_UNAVAILABLE if Redis cannot be reached. */
  static async open(address: Address, spill: Spill | null = null): Promise<Client> {
    return new Client(await connect(address), spill);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.queue.close(), this.flows.close()]);
    this.#redis.disconnect();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
