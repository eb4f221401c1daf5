import { PolybinError } from "@polybin/core";

type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

type Over<T> = new (buffer: SharedArrayBuffer, at: number, length: number) => T;

/**
 * Returns the same numbers in shared memory: the array itself if it lies there, otherwise a copy at the beginning of
 * what `make` returns. @throws ERR_OUT_OF_MEMORY
 */
export function inShared<T extends Numbers>(
  numbers: T,
  make: (bytes: number) => SharedArrayBuffer = (bytes) => new SharedArrayBuffer(bytes),
): T {
  if (numbers.buffer instanceof SharedArrayBuffer) return numbers;
  try {
    const copy = new (numbers.constructor as Over<T>)(make(numbers.byteLength), 0, numbers.length);
    copy.set(numbers);
    return copy;
  } catch (cause) {
    throw new PolybinError(
      "ERR_OUT_OF_MEMORY",
      `expected room for ${numbers.byteLength} bytes of shared memory but the process has none`,
      { backend: "piscina", cause },
    );
  }
}

/** Copies bytes to an address. Buffer's copy is twice as fast from shared memory as Uint8Array's `set`. */
export function copyTo(
  { buffer: to }: WebAssembly.Memory,
  address: number,
  { buffer, byteOffset, byteLength }: ArrayBufferView,
  start = 0,
  end: number = byteLength,
): void {
  Buffer.from(buffer, byteOffset, byteLength).copy(new Uint8Array(to, address, end - start), 0, start, end);
}
