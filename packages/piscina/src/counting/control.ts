/** Shared memory that connects the engine and the threads of a call while they run. */
export interface Control {
  /** NEXT, STOP, SIGNAL and ENDED, and from PLACES on a word for each worker that was asked to take part. */
  readonly words: Int32Array;
  readonly done: BigInt64Array;
}

const NEXT = 0;
const STOP = 1;
const SIGNAL = 2;
const ENDED = 3;
const PLACES = 4;

/** The word of a place: the worker has not begun, it takes part, or the call has ended without it. */
const OPEN = 0;
const TAKEN = 1;
const CLOSED = 2;

/** @param places the workers that may take part, if the call ends without those that have not begun */
export function newControl(places = 0): Control {
  const doneBytes = BigInt64Array.BYTES_PER_ELEMENT;
  const words = PLACES + places;
  const buffer = new SharedArrayBuffer(doneBytes + words * Int32Array.BYTES_PER_ELEMENT);
  return { words: new Int32Array(buffer, doneBytes, words), done: new BigInt64Array(buffer, 0, 1) };
}

/** Takes the number of the next step, from 0 on. Each number is returned once. */
export function takeNext({ words }: Control): number {
  return Atomics.add(words, NEXT, 1);
}

/** Makes all threads take no further step. */
export function stop(control: Control): void {
  Atomics.store(control.words, STOP, 1);
  wake(control);
}

export function isStopped({ words }: Control): boolean {
  return Atomics.load(words, STOP) === 1;
}

/** Says that no further pieces come. */
export function end(control: Control): void {
  Atomics.store(control.words, ENDED, 1);
  wake(control);
}

export function isEnded({ words }: Control): boolean {
  return Atomics.load(words, ENDED) === 1;
}

/** Wakes the workers that wait for a piece. */
export function wake({ words }: Control, count: number = Number.POSITIVE_INFINITY): void {
  Atomics.add(words, SIGNAL, 1);
  Atomics.notify(words, SIGNAL, count);
}

/** Returns a number that changes with every `wake`. */
export function signalOf({ words }: Control): number {
  return Atomics.load(words, SIGNAL);
}

/** Waits for the `wake` after a signal was read. */
export function waitAfter({ words }: Control, signal: number): void {
  Atomics.wait(words, SIGNAL, signal);
}

/** Takes a worker's place. @returns whether the call still needs it */
export function takePlace({ words }: Control, place: number): boolean {
  return Atomics.compareExchange(words, PLACES + place, OPEN, TAKEN) === OPEN;
}

/** Closes the place of a worker that has not begun. @returns false if it takes part */
export function closePlace({ words }: Control, place: number): boolean {
  return Atomics.compareExchange(words, PLACES + place, OPEN, CLOSED) === OPEN;
}

export function addDone({ done }: Control, pixels: number): void {
  Atomics.add(done, 0, BigInt(pixels));
}

export function pixelsDone({ done }: Control): number {
  return Number(Atomics.load(done, 0));
}
