import {
  type Belt,
  type Control,
  freeSlot,
  newBelt,
  nextShared,
  putPiece,
  type SharedSteps,
  type Step,
  type Steps,
  stepAt,
  takePiece,
  wake,
} from "../../counting/index.ts";
import { poolLimits } from "../../platform/index.ts";
import type { Launch, Pieces, Supply } from "./feed.ts";

/** The pixels of a launch that no thread has taken yet. */
export interface Rest {
  /** The steps of a worker. */
  readonly forWorkers: Steps;
  /** Whether the calling thread has found nothing left. */
  readonly isEmpty: boolean;
  /** Takes the calling thread's next step. */
  next(turn: Turn): Step | null;
}

/** The work of the calling thread since other work had its turn. */
export interface Turn {
  /** The number of workers that were asked to take part. */
  readonly workers: number;
  readonly counted: Pace;
  readonly copied: Pace;
}

/** Work, and the milliseconds that it took. */
export interface Pace {
  pixels: number;
  ms: number;
}

export function newTurn(workers: number): Turn {
  return { workers, counted: { pixels: 0, ms: 0 }, copied: { pixels: 0, ms: 0 } };
}

export function restOf(launch: Launch, { step, pieces }: Supply, control: Control): Rest {
  return pieces === null
    ? new SharedRest(launch, step, control)
    : new CopiedRest(launch, step, pieces, control);
}

/** Samples that workers can read. All threads take steps in turn. */
class SharedRest implements Rest {
  readonly forWorkers: SharedSteps;
  isEmpty = false;

  constructor({ from, to }: Launch, pixels: number, control: Control) {
    this.forWorkers = { kind: "shared", from, to, pixels, control };
  }

  next(): Step | null {
    const step = nextShared(this.forWorkers);
    this.isEmpty = step === null;
    return step;
  }
}

/**
 * Samples that only the calling thread can read. Between its own steps it copies pieces for workers, as long as they
 * have room for one and copying takes less time than counting. At the end it takes the pieces back that no worker has
 * begun.
 */
class CopiedRest implements Rest {
  readonly forWorkers: Steps;
  isEmpty = false;
  readonly #belt: Belt;
  readonly #pieces: Pieces;
  readonly #control: Control;
  readonly #step: number;
  readonly #to: number;
  /** The first pixel that is neither counted nor copied. */
  #next: number;
  /** The pixels that the calling thread counts next. */
  #own = { first: 0, end: 0 };

  constructor({ from, to }: Launch, step: number, pieces: Pieces, control: Control) {
    this.#belt = newBelt(pieces.slots, pieces.pixels);
    this.forWorkers = { kind: "belt", belt: this.#belt, pixels: step, control };
    this.#pieces = pieces;
    this.#control = control;
    this.#step = step;
    this.#next = from;
    this.#to = to;
  }

  next(turn: Turn): Step | null {
    this.#copy(turn);
    if (this.#own.first >= this.#own.end) this.#own = this.#range();
    const { first, end } = this.#own;
    this.isEmpty = first >= end;
    if (this.isEmpty) return null;
    this.#own.first = Math.min(end, first + this.#step);
    return stepAt(first, this.#own.first);
  }

  /** Copies a piece for the workers, if that pays. Each turn measures it again, because a busy machine may delay a copy. */
  #copy({ workers, counted, copied }: Turn): void {
    const { pixels, copy } = this.#pieces;
    const first = this.#next;
    if (workers === 0 || this.#to - first <= pixels) return;
    const isSlow = copied.ms * counted.pixels > poolLimits.copyShare * counted.ms * copied.pixels;
    if (isSlow && counted.pixels > 0) return;
    const slot = freeSlot(this.#belt);
    if (slot === null) return;
    const start = performance.now();
    const end = first + pixels;
    copy(first, end, slot);
    copied.ms += performance.now() - start;
    copied.pixels += pixels;
    this.#next = end;
    putPiece(this.#belt, { slot, first, end });
    wake(this.#control, 1);
  }

  /** Takes a step of what is not copied, or a piece that no worker has begun. */
  #range(): { first: number; end: number } {
    const first = this.#next;
    if (first >= this.#to) return { ...(takePiece(this.#belt) ?? { first: 0, end: 0 }) };
    this.#next = Math.min(this.#to, first + this.#step);
    return { first, end: this.#next };
  }
}
