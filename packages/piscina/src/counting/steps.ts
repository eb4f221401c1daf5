import { type Belt, giveSlot, type Piece, takePiece } from "./belt.ts";
import { addDone, type Control, isEnded, isStopped, signalOf, takeNext, waitAfter } from "./control.ts";

/** The pixels of a call that a thread takes, step by step. */
export type Steps = SharedSteps | BeltSteps | OwnSteps;

/** The pixels [from, to), in steps that the threads of a call take in turn. */
export interface SharedSteps {
  readonly kind: "shared";
  readonly from: number;
  readonly to: number;
  /** Pixels of a step. */
  readonly pixels: number;
  readonly control: Control;
}

/** The pieces of a belt, in steps. The thread waits for pieces until the call has ended. */
export interface BeltSteps {
  readonly kind: "belt";
  readonly belt: Belt;
  readonly pixels: number;
  readonly control: Control;
}

/** Steps of the calling thread, which decides what comes next. */
export interface OwnSteps {
  readonly kind: "own";
  /** Null: there is none, or it is the turn of the thread's other work. */
  take(): Step | null;
  /** Receives the pixels done. Null: nobody asks. */
  readonly control: Control | null;
}

/** The pixels [first, end) of a call. */
export interface Step {
  readonly first: number;
  readonly end: number;
  /** The pixel of the thread's source where they begin. */
  readonly at: number;
  /** The slot that they were copied to. Null: the source has all pixels of the call. */
  readonly slot: number | null;
}

/** Takes steps until there are no more or the call is stopped. */
export function eachStep(steps: Steps, use: (step: Step) => void): void {
  const take = steps.kind === "own" ? steps.take : takerOf(steps);
  for (let step = take(); step !== null; step = take()) {
    use(step);
    if (steps.control !== null) addDone(steps.control, step.end - step.first);
  }
}

/** Returns the step of pixels in a source that has all pixels of the call. */
export function stepAt(first: number, end: number): Step {
  return { first, end, at: first, slot: null };
}

/** Takes all pixels of a source in one step. */
export function onceOver(pixels: number): OwnSteps {
  let step: Step | null = stepAt(0, pixels);
  const take = () => {
    const only = step;
    step = null;
    return only;
  };
  return { kind: "own", take, control: null };
}

function takerOf(steps: SharedSteps | BeltSteps): () => Step | null {
  return steps.kind === "belt" ? fromBelt(steps) : () => nextShared(steps);
}

/** Takes the next step of all threads, or null. */
export function nextShared({ from, to, pixels, control }: SharedSteps): Step | null {
  if (isStopped(control)) return null;
  const first = from + takeNext(control) * pixels;
  return first < to ? stepAt(first, Math.min(to, first + pixels)) : null;
}

function fromBelt({ belt, pixels, control }: BeltSteps): () => Step | null {
  let piece: Piece | null = null;
  let next = 0;
  return () => {
    while (!isStopped(control)) {
      if (piece !== null && next < piece.end) {
        const { slot } = piece;
        const first = next;
        next = Math.min(piece.end, first + pixels);
        return { first, end: next, at: slot * belt.pixels + first - piece.first, slot };
      }
      if (piece !== null) giveSlot(belt, piece);
      const signal = signalOf(control);
      piece = takePiece(belt);
      if (piece !== null) next = piece.first;
      else if (isEnded(control)) return null;
      else waitAfter(control, signal);
    }
    return null;
  };
}
