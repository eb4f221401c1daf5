import { PolybinError } from "@polybin/core";

type Numbers = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** The same numbers in shared memory: the array itself where it lies there, else a copy. @throws ERR_OUT_OF_MEMORY */
export function inShared<T extends Numbers>(numbers: T): T {
  if (numbers.buffer instanceof SharedArrayBuffer) return numbers;
  try {
    const copy = new (numbers.constructor as new (buffer: SharedArrayBuffer) => T)(
      new SharedArrayBuffer(numbers.byteLength),
    );
    copy.set(numbers);
    return copy;
  } catch (cause) {
    throw new PolybinError(
      "ERR_OUT_OF_MEMORY",
      `expected room for ${numbers.byteLength} bytes of shared memory`,
      { backend: "piscina", cause },
    );
  }
}
