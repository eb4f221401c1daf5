import { expected, isNodePool, OF_POOL, PolybinError } from "../base/index.ts";
/** @throws ERR_INPUT where the memory is gone, or also that of others. */
export function memoryOf(data: ArrayBufferView | ArrayBufferLike): Uint8Array {
  const bytes = fixedBytes(data, "data");
  if (isNodePool(data)) throw expected("ERR_INPUT", "data", "samples alone", data, { helps: OF_POOL });
  return bytes;
}

/** The class of a typed array, of this realm (window, worker, vm context) or another; undefined for a DataView. */
export function nameOfArray(view: ArrayBufferView): string | undefined {
  return ARRAY_NAME.call(view);
}

/** Is this memory, of this realm or another? */
export function isBuffer(value: unknown): value is ArrayBufferLike {
  return BUFFER_LENGTHS.some((length) => {
    try {
      length.call(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** Getters that look into an object of any realm, where `instanceof` knows those of one. */
const ARRAY_NAME = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const BUFFER_LENGTHS = [
  getter(ArrayBuffer.prototype, "byteLength"),
  ...(typeof SharedArrayBuffer === "undefined" ? [] : [getter(SharedArrayBuffer.prototype, "byteLength")]),
];

function getter(prototype: object, name: PropertyKey): (this: unknown) => never {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: unknown) => never;
}

/**
 * The bytes that lie in memory now, at a length that stays though the memory may be resizable.
 * @throws ERR_INPUT where the memory is gone: it was transferred, or shrank below the view.
 */
export function fixedBytes(data: ArrayBufferView | ArrayBufferLike, name: string): Uint8Array {
  try {
    if (!ArrayBuffer.isView(data)) return new Uint8Array(data, 0, data.byteLength);
    // An array whose memory is gone says that it is empty; but it has no elements to ask for.
    if (nameOfArray(data) !== undefined) Uint8Array.prototype.at.call(data as Uint8Array, 0);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `expected memory behind ${name} but it ${GONE}`, { cause });
  }
}

/**
 * A part of samples' bytes that must still be there: others may have run since the samples were checked.
 * @throws ERR_INPUT where their memory is gone.
 */
export function bytesFrom(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (bytes.byteLength < start + length) {
    throw new PolybinError("ERR_INPUT", `expected memory behind the samples but it ${GONE} meanwhile`);
  }
  return bytes.subarray(start, start + length);
}

const GONE = "was transferred or made smaller";
