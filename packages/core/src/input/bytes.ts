import { expected, isNodePool, OF_POOL, PolybinError } from "../base/index.ts";
/** @throws ERR_INPUT if the memory is gone, or is Node's pool, which others share. */
export function memoryOf(data: ArrayBufferView | ArrayBufferLike): Uint8Array {
  const bytes = fixedBytes(data, "data");
  if (isNodePool(data)) throw expected("ERR_INPUT", "data", "only samples", data, { helps: OF_POOL });
  return bytes;
}

/** Returns the class name of a typed array of any realm (window, worker, vm context); undefined for a DataView. */
export function nameOfArray(view: ArrayBufferView): string | undefined {
  return ARRAY_NAME.call(view);
}

/** Returns true for an ArrayBuffer or SharedArrayBuffer of any realm. */
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

/** Prototype getters that work on objects of any realm, whereas `instanceof` knows only one realm. */
const ARRAY_NAME = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const BUFFER_LENGTHS = [
  getter(ArrayBuffer.prototype, "byteLength"),
  ...(typeof SharedArrayBuffer === "undefined" ? [] : [getter(SharedArrayBuffer.prototype, "byteLength")]),
];

function getter(prototype: object, name: PropertyKey): (this: unknown) => never {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: unknown) => never;
}

/**
 * Returns the bytes of the memory at its current length, which stays fixed even if the memory is resizable.
 * @throws ERR_INPUT if the memory was transferred, or shrank below the view.
 */
export function fixedBytes(data: ArrayBufferView | ArrayBufferLike, name: string): Uint8Array {
  try {
    if (isFixed(data)) return data;
    if (!ArrayBuffer.isView(data)) return new Uint8Array(data, 0, data.byteLength);
    // A detached array reports length 0, but reading an element throws.
    if (nameOfArray(data) !== undefined) Uint8Array.prototype.at.call(data as Uint8Array, 0);
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  } catch (cause) {
    throw new PolybinError("ERR_INPUT", `expected memory behind ${name} but it ${GONE}`, { cause });
  }
}

/** Whether these are bytes already, in memory that cannot be resized. A new view takes longer than counting a few bytes. */
function isFixed(data: ArrayBufferView | ArrayBufferLike): data is Uint8Array {
  if (Object.getPrototypeOf(data) !== Uint8Array.prototype || data.byteLength === 0) return false;
  const { resizable, growable } = (data as Uint8Array).buffer as Resizable;
  return resizable !== true && growable !== true;
}

/** Memory, with the names that older libraries do not declare. */
interface Resizable {
  readonly resizable?: boolean;
  readonly growable?: boolean;
}

/**
 * Returns a part of the samples' bytes. Other code may have run since they were checked.
 * @throws ERR_INPUT if their memory is gone.
 */
export function bytesFrom(bytes: Uint8Array, start: number, length: number): Uint8Array {
  checkMemory(bytes, start + length);
  return bytes.subarray(start, start + length);
}

/** Checks that an array still has this number of bytes. @throws ERR_INPUT if its memory is gone */
export function checkMemory({ byteLength }: ArrayBufferView, bytes: number): void {
  if (byteLength >= bytes) return;
  throw new PolybinError("ERR_INPUT", `expected memory behind the samples but it ${GONE} meanwhile`);
}

const GONE = "was transferred or made smaller";
