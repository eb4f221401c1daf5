import type { RunOptions } from "@polybin/core/backend";
import {
  type Answer,
  type Control,
  closePlace,
  end,
  isStopped,
  newControl,
  type OwnSteps,
  pixelsDone,
  stop,
} from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import type { Feed, Launch } from "./feed.ts";
import type { Pool } from "./pool.ts";
import { newTurn, type Pace, type Rest, restOf, type Turn } from "./rest.ts";

/**
 * Counts a launch on the calling thread, and on the workers that have nothing else to do. When everything is counted, it
 * waits for no worker that has not begun.
 * @returns the milliseconds spent on copying
 * @throws the errors of `Pool.run`
 */
export async function together(
  pool: Pool,
  feed: Feed,
  launch: Launch,
  { signal, onProgress }: RunOptions,
): Promise<number> {
  signal?.throwIfAborted();
  const control = newControl(pool.threads);
  const rest = restOf(launch, feed.supply, control);
  const crew = new Crew(pool, feed, rest, control);
  const own: Pace = { pixels: 0, ms: 0 };
  let copyMs = 0;
  let waiting = 0;
  const abort = () => stop(control);
  signal?.addEventListener("abort", abort, { once: true });
  const ended = pool.begin();
  let isAlone = false;
  try {
    // The caller's code goes on before anything is counted.
    await null;
    while (!rest.isEmpty && !isStopped(control)) {
      const turn = newTurn(crew.ask(launch.to - launch.from - pixelsDone(control)));
      const due = performance.now() + poolLimits.turnMs;
      do {
        const steps = stepsOf(rest, turn, { control, due, isTold: onProgress !== undefined, feed });
        feed.onAnswer(pool.here.run(feed.task(steps, "here")));
        onProgress?.(pixelsDone(control));
      } while (!rest.isEmpty && !isStopped(control) && performance.now() < due);
      own.pixels += turn.counted.pixels;
      own.ms += turn.counted.ms;
      copyMs += turn.copied.ms;
      if (!rest.isEmpty) await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    stop(control);
    throw error;
  } finally {
    waiting = performance.now();
    await crew.leave();
    isAlone = ended();
    signal?.removeEventListener("abort", abort);
  }
  signal?.throwIfAborted();
  for (const answer of await crew.answers()) if (answer !== null) feed.onAnswer(answer);
  if (isAlone && crew.askMs > 0 && own.ms > 0) {
    const ms = crew.askMs + performance.now() - waiting;
    pool.trips.add({ ms, bytesPerMs: (own.pixels * feed.supply.pixelBytes) / own.ms });
  }
  return copyMs;
}

/** When the calling thread stops taking steps. */
interface Until {
  readonly control: Control;
  /** The time from which other work has its turn. */
  readonly due: number;
  /** Whether progress is reported after a number of bytes. */
  readonly isTold: boolean;
  readonly feed: Feed;
}

/** Returns steps of the calling thread, and measures how fast it counts them. */
function stepsOf(rest: Rest, turn: Turn, { control, due, isTold, feed }: Until): OwnSteps {
  const { counted } = turn;
  const most = isTold ? poolLimits.toldBytes / feed.supply.pixelBytes : Number.POSITIVE_INFINITY;
  const until = counted.pixels + most;
  let since = 0;
  let pixels = 0;
  return {
    kind: "own",
    control,
    take() {
      const now = performance.now();
      if (pixels > 0) counted.ms += now - since;
      counted.pixels += pixels;
      pixels = 0;
      if (now >= due || counted.pixels >= until || isStopped(control)) return null;
      const step = rest.next(turn);
      since = performance.now();
      if (step !== null) pixels = step.end - step.first;
      return step;
    },
  };
}

/** The workers of a launch. */
class Crew {
  /** Milliseconds that it took to ask them. */
  askMs = 0;
  readonly #pool: Pool;
  readonly #feed: Feed;
  readonly #rest: Rest;
  readonly #control: Control;
  readonly #replies: Promise<Answer | null>[] = [];
  /** The replies of workers that have begun before the launch ended. */
  #joined: Promise<Answer | null>[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(pool: Pool, feed: Feed, rest: Rest, control: Control) {
    this.#pool = pool;
    this.#feed = feed;
    this.#rest = rest;
    this.#control = control;
  }

  /** Asks workers that have nothing to do, as many as pay for the number of pixels that are left. @returns their number */
  ask(pixels: number): number {
    const { pixelBytes, step, pieces } = this.#feed.supply;
    const paying = this.#pool.workersFor(pixels * pixelBytes, (pieces?.pixels ?? step) * pixelBytes);
    const most = Math.min(paying, this.#replies.length + this.#pool.idle);
    if (this.#replies.length >= most) return this.#replies.length;
    const start = performance.now();
    while (this.#replies.length < most) {
      const number = this.#replies.length;
      const task = this.#feed.task(this.#rest.forWorkers, number);
      const reply = this.#pool.ask(task, this.#control, number);
      reply.catch((error: unknown) => {
        this.#failure ??= { error };
      });
      this.#replies.push(reply);
    }
    this.askMs += performance.now() - start;
    return most;
  }

  /** Ends the launch, and waits for the workers that take part. Nothing is read or written afterwards. */
  async leave(): Promise<void> {
    end(this.#control);
    this.#joined = this.#replies.filter((_, number) => !closePlace(this.#control, number));
    await Promise.allSettled(this.#joined);
  }

  /** Returns the answers of those that took part. @throws the first failure */
  async answers(): Promise<(Answer | null)[]> {
    if (this.#failure !== null) throw this.#failure.error;
    return Promise.all(this.#joined);
  }
}
