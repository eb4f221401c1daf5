import type { Axis, CountedAs } from "../../axis/index.ts";
import type { ChannelsPart, RunOptions } from "../../backend/index.ts";
import { type CallControl, loadedOnce, ownOptions, PolybinError } from "../../base/index.ts";
import {
  type ByteStream,
  type Countable,
  channelsOf,
  type Input,
  isByteStream,
  type Source,
} from "../../input/index.ts";
import { axisFor } from "../channels/axis-for.ts";
import {
  type ChannelsCounts,
  find,
  foundBeforehand,
  foundOn,
  histogramsOf,
  isFile,
  isSmall,
} from "../channels/count.ts";
import type { Jobs } from "../jobs/prepare.ts";
import type { Planned, Recipe } from "../jobs/recipe.ts";
import type { Lifecycle } from "../opened/lifecycle.ts";
import { type OpenBackend, readable, sourceIn } from "../opened/open-backend.ts";
import type { Progress } from "../options/options.ts";

const streams = loadedOnce(() => import("./stream.ts"));

const QUIETLY: RunOptions = Object.freeze({});
const TIMED: RunOptions = Object.freeze({ timed: true });

/** The axis of a call's result, its signal, and the time at which it began. */
interface Asked {
  readonly axis: Axis | null;
  readonly signal: AbortSignal | undefined;
  readonly since: number | null;
}

/** Counts inputs with recipes, for an engine's own calls and for its counters. */
export class Calls {
  readonly opened: OpenBackend;
  readonly lifecycle: Lifecycle;
  readonly #jobs: Jobs;

  constructor(opened: OpenBackend, jobs: Jobs, lifecycle: Lifecycle) {
    this.opened = opened;
    this.lifecycle = lifecycle;
    this.#jobs = jobs;
  }

  /**
   * Counts an input. Small inputs are counted on this thread before the call returns. If the device is free, other
   * inputs are passed to it before the call returns. The rest wait for their turn.
   * @param axis the axis of the result, equal to the recipe's; null: the recipe's own
   */
  count<R>(recipe: Recipe<R>, input: Countable, axis: Axis | null, talk: CallControl<Progress>): Promise<R> {
    const since = recipe.timed ? performance.now() : null;
    const { signal, onProgress } = talk;
    try {
      this.lifecycle.check(signal);
      if (isByteStream(input)) return this.#stream(recipe, input, axis, talk, since);
      if (onProgress === undefined) {
        const source = this.source(recipe, input);
        const planned = recipe.plan(source);
        if (planned !== null && planned.job.counted.reduction === null && !isFile(source)) {
          const found = this.#here(planned, source, recipe.timed);
          if (found !== null) {
            return Promise.resolve(
              recipe.as(histogramsOf(found, planned.job, source.type, axis ?? planned.axis, since)),
            );
          }
          if (this.lifecycle.tryEnter())
            return this.#entered(recipe, planned, source, { axis, signal, since });
        }
      }
    } catch (error) {
      return Promise.reject(this.lifecycle.signed(error));
    }
    return this.#inTurn(recipe, input, axis, talk, since);
  }

  /**
   * Counts synchronously on an open engine.
   * @param inputOf returns the input that the device counts
   * @throws everything that `count` rejects with; ERR_UNSUPPORTED if the
   * device cannot
   */
  countSync<R>(
    recipe: Recipe<R>,
    input: Exclude<Countable, ByteStream>,
    inputOf: (source: Source, counted: CountedAs) => Input,
  ): R {
    const since = recipe.timed ? performance.now() : null;
    const source = this.source(recipe, input);
    const planned = recipe.plan(source)!;
    const { job, pixels } = planned;
    const whole = inputOf(source, job.counted);
    const found = foundBeforehand(job, pixels) ?? this.#now(planned, whole, recipe.timed);
    return recipe.as(histogramsOf(found, job, source.type, planned.axis, since));
  }

  /** Checks an input that this engine can reach. @throws ERR_INPUT, ERR_UNSUPPORTED */
  source<R>({ asked }: Recipe<R>, input: Exclude<Countable, ByteStream>): Source {
    const source = sourceIn(this.opened, input, asked.type);
    if (!isFile(source)) readable(this.opened, source);
    return source;
  }

  /** Returns the counts that are available without waiting, or null if the device has to count. */
  #here(planned: Planned, source: Source, timed: boolean): ChannelsCounts | null {
    const { job, pixels } = planned;
    const found = foundBeforehand(job, pixels);
    if (found !== null || !isSmall(this.opened.device, source)) return found;
    return job.prepared().countSync === undefined ? null : this.#now(planned, source.input, timed);
  }

  #now({ job, pixels }: Planned, input: Input, timed: boolean): ChannelsCounts {
    const prepared = job.prepared();
    if (prepared.countSync === undefined) {
      const { algorithm } = job.plan;
      const message = `${this.opened.backend} cannot count synchronously with ${algorithm}: await count instead`;
      throw new PolybinError("ERR_UNSUPPORTED", message, { algorithm });
    }
    return foundOn(this.opened, job, prepared.countSync(input, timed ? TIMED : QUIETLY), pixels);
  }

  /** Passes an input to the device, for a call that already has its turn. */
  #entered<R>(
    { as, timed }: Recipe<R>,
    { job, type, axis: own, pixels }: Planned,
    { input }: Source,
    { axis, signal, since }: Asked,
  ): Promise<R> {
    const { lifecycle } = this;
    let counting: Promise<ChannelsPart>;
    try {
      const options = signal === undefined ? (timed ? TIMED : QUIETLY) : { signal, timed };
      counting = job.prepared().count(input, options);
    } catch (error) {
      lifecycle.leave();
      throw error;
    }
    return counting.then(
      (part) => {
        lifecycle.leave();
        signal?.throwIfAborted();
        try {
          return as(histogramsOf(foundOn(this.opened, job, part, pixels), job, type, axis ?? own, since));
        } catch (error) {
          throw lifecycle.signed(error);
        }
      },
      (error) => {
        lifecycle.leave();
        throw lifecycle.signed(error);
      },
    );
  }

  /** Runs a call that waits for its turn or for the range of its data, or that reports progress. */
  #inTurn<R>(
    recipe: Recipe<R>,
    input: Exclude<Countable, ByteStream>,
    axis: Axis | null,
    talk: CallControl<Progress>,
    since: number | null,
  ): Promise<R> {
    const { opened, lifecycle } = this;
    return lifecycle.inTurn(talk, async ({ signal, onProgress }) => {
      const source = this.source(recipe, input);
      const { job, axis: own, pixels } = recipe.plan(source) ?? (await this.#planned(recipe, source, signal));
      const tell = onProgress && ((done: number) => onProgress({ done, total: pixels }));
      const found = await find(opened, job, source, { signal, onProgress: tell, timed: recipe.timed });
      tell?.(pixels);
      return recipe.as(histogramsOf(found, job, source.type, axis ?? own, since));
    });
  }

  /** Plans a call whose data decides the axis, by reading the data. */
  async #planned<R>(recipe: Recipe<R>, source: Source, signal: AbortSignal | undefined): Promise<Planned> {
    const channels = channelsOf(source, recipe.which);
    const axis = await axisFor(this.opened, source, channels, ownOptions({ ...recipe.asked, signal }));
    return recipe.planOver(source, axis);
  }

  #stream<R>(
    recipe: Recipe<R>,
    stream: ByteStream,
    axis: Axis | null,
    talk: CallControl<Progress>,
    since: number | null,
  ): Promise<R> {
    const { opened, lifecycle } = this;
    return lifecycle.run(talk, async (guardedTalk) => {
      const { countStream } = await streams();
      const parts = { opened, jobs: this.#jobs, lifecycle };
      const counted = await countStream(parts, stream, recipe, guardedTalk);
      return recipe.as(histogramsOf(counted.found, counted.job, counted.type, axis ?? counted.axis, since));
    });
  }
}
