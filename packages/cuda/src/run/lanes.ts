import type { RunOptions } from "@polybin/core/backend";
import type { Context, NativeControl } from "../border/index.ts";
import type { Held, Keeper } from "../memory/index.ts";
import { Lane } from "./lane.ts";
import { talk } from "./talk.ts";

/** The devices of an engine, by their indices. */
export class Lanes implements Keeper {
  readonly #lanes: readonly Lane[];
  readonly #timed: boolean;
  readonly #forgotten: FinalizationRegistry<readonly Held[]>;

  /** `timed` measures every call. */
  constructor(contexts: readonly Context[], timed: boolean) {
    this.#lanes = contexts.map((context) => new Lane(context));
    this.#timed = timed;
    this.#forgotten = new FinalizationRegistry((parts) => void this.#free(parts).catch(() => {}));
  }

  get count(): number {
    return this.#lanes.length;
  }

  of(device: number): Lane {
    return this.#lanes[device]!;
  }

  map<T>(call: (lane: Lane, device: number) => T): T[] {
    return this.#lanes.map(call);
  }

  isTimed({ timed }: RunOptions): boolean {
    return timed === true || this.#timed;
  }

  /** Calls the device of each part, all at the same time. Returns all results, or fails when all calls have ended. */
  each<P extends { readonly device: number }, T>(
    parts: readonly P[],
    options: RunOptions,
    call: (context: Context, part: P, control: NativeControl | undefined) => Promise<T>,
  ): Promise<T[]> {
    return talk(
      options,
      parts.map(
        (part) => (control) =>
          this.of(part.device).run((context) => call(context, part, control), options.signal),
      ),
    );
  }

  /** Does the same for calls that each keep memory of a device. If one fails, the memory of the others is freed. */
  async bring<P extends { readonly device: number }, K extends Held>(
    parts: readonly P[],
    options: RunOptions,
    call: (context: Context, part: P, control: NativeControl | undefined) => Promise<K>,
  ): Promise<K[]> {
    const kept: K[] = [];
    try {
      await this.each(parts, options, async (...of) => void kept.push(await call(...of)));
      return kept;
    } catch (error) {
      await this.#free(kept);
      throw error;
    }
  }

  keep(of: object, parts: readonly Held[]): void {
    this.#forgotten.register(of, parts, of);
  }

  async free(of: object, parts: readonly Held[]): Promise<void> {
    this.#forgotten.unregister(of);
    await this.#free(parts);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.run((context) => context.close())));
  }

  async #free(parts: readonly Held[]): Promise<void> {
    await Promise.all(parts.map(({ device, id }) => this.of(device).run((context) => context.free(id))));
  }
}
