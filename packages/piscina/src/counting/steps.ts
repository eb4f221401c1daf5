/** Shared memory that connects the engine and the threads of a task while they run. */
export interface Control {
  readonly words: Int32Array;
  readonly done: BigInt64Array;
}

const NEXT = 0;
const STOP = 1;

export function newControl(): Control {
  const buffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
  return {
    words: new Int32Array(buffer, 0, 2),
    done: new BigInt64Array(buffer, BigInt64Array.BYTES_PER_ELEMENT, 1),
  };
}

/** Takes the number of the next step, from 0 on. Each number is returned once. */
export function takeNext({ words }: Control): number {
  return Atomics.add(words, NEXT, 1);
}

/** Makes all threads take no further step. */
export function stop({ words }: Control): void {
  Atomics.store(words, STOP, 1);
}

export function isStopped({ words }: Control): boolean {
  return Atomics.load(words, STOP) === 1;
}

export function addDone({ done }: Control, pixels: number): void {
  Atomics.add(done, 0, BigInt(pixels));
}

export function pixelsDone({ done }: Control): number {
  return Number(Atomics.load(done, 0));
}

/** The pixels [from, to) of a call. Threads count `pixels` of them at a time. */
export interface Steps {
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
  /** The threads of the call take steps in turn. Null: one thread takes all of them. */
  readonly control: Control | null;
}

/** Takes steps, in turn with other threads, until there are no more or the call is stopped. */
export function eachStep(
  { from, to, pixels, control }: Steps,
  use: (first: number, end: number) => void,
): void {
  for (let first = from; ; first += pixels) {
    if (control !== null) {
      if (isStopped(control)) return;
      first = from + takeNext(control) * pixels;
    }
    if (first >= to) return;
    const end = Math.min(to, first + pixels);
    use(first, end);
    if (control !== null) addDone(control, end - first);
  }
}
