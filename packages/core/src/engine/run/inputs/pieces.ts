import { PolybinError } from "../../../base/index.ts";
import type { Source } from "../../../input/index.ts";
import type { Lifecycle } from "../../opened/lifecycle.ts";
import type { OpenInput } from "./inputs.ts";
import type { Piece } from "./selection.ts";

/** The size of all pieces of a call, and the time that it waited for them. */
export interface Pieces {
  /** Number of pixels of all pieces. */
  readonly pixels: number;
  /** Milliseconds that the call waited for its streams. */
  readonly waitedMs: number;
}

/** Returns the piece of inputs that are counted in place. */
export function wholePiece(pixels: number): Piece {
  return { first: 0, pixels, isWhole: true, of: ({ whole }) => whole! };
}

/**
 * Cuts inputs into pieces. At least one input is a stream or a file. A piece has as many pixels as all inputs have
 * ready. Each is counted in its turn, and the next is gathered meanwhile. A stream that delivers nothing takes no turn.
 * @throws ERR_INPUT for inputs of different lengths
 */
export async function eachPiece(
  inputs: readonly OpenInput[],
  lifecycle: Lifecycle,
  signal: AbortSignal | undefined,
  work: (piece: Piece) => Promise<void>,
): Promise<Pieces> {
  let pixels = 0;
  let waitedMs = 0;
  let counting: Promise<void> = Promise.resolve();
  try {
    for (;;) {
      const since = performance.now();
      const ready = await readyPixels(inputs, pixels, signal);
      waitedMs += performance.now() - since;
      await counting;
      signal?.throwIfAborted();
      if (ready === 0) return { pixels, waitedMs };
      const sources = new Map<OpenInput, Source>(inputs.map((input) => [input, input.take(ready)]));
      const piece: Piece = {
        ...{ first: pixels, pixels: ready, isWhole: false },
        of: (input) => sources.get(input)!,
      };
      counting = lifecycle.turn(() => work(piece), signal);
      // The error is thrown where the promise is awaited. Until then it must not count as unhandled.
      counting.catch(() => {});
      pixels += ready;
    }
  } catch (error) {
    await counting.catch(() => {});
    throw error;
  }
}

/** Waits for all inputs, and returns the number of pixels that each has ready. @throws ERR_INPUT if one ends early */
async function readyPixels(
  inputs: readonly OpenInput[],
  done: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const ready: number[] = [];
  for (const input of inputs) ready.push(await input.ready(signal));
  const least = Math.min(...ready);
  if (least > 0) return least;
  const ended = inputs[ready.indexOf(0)]!;
  const longer = ready.findIndex((pixels, i) => pixels > 0 && !isPadded(inputs[i]!, pixels));
  if (longer < 0) return 0;
  const { name, total } = inputs[longer]!;
  const received = total ?? `at least ${done + ready[longer]!}`;
  throw new PolybinError(
    "ERR_INPUT",
    `expected as many as ${ended.name}, ${done}, for ${name} but received ${received}`,
  );
}

/** Returns true for the last bits of a mask, which end with a byte. */
function isPadded({ name }: OpenInput, pixels: number): boolean {
  return name === "mask.bits" && pixels < 8;
}
