/**
 * The parts of Node's globals that this file uses. They are read through globalThis, so that no bundler adds a Buffer
 * polyfill.
 */
interface NodeGlobals {
  readonly Buffer?: { allocUnsafe(size: number): { readonly buffer: ArrayBufferLike } };
  readonly process?: { getBuiltinModule?(id: string): object | undefined };
}

/** Part of node:worker_threads, from Node 21 on. */
interface Threads {
  isMarkedAsUntransferable?(value: object): boolean;
}

/**
 * Returns true if the data is the whole memory of Node's pool, from which small Buffers are cut. The `.buffer` of a
 * small Buffer is this memory, which also holds the bytes of other Buffers. Views of other memory, and memory of
 * another length, always return false.
 */
export function isNodePool(data: ArrayBufferView | ArrayBufferLike): boolean {
  const node = globalThis as NodeGlobals;
  if (node.Buffer === undefined) return false;
  const memory = ArrayBuffer.isView(data) ? data.buffer : data;
  poolBytes ??= node.Buffer.allocUnsafe(1).buffer.byteLength;
  if (data.byteLength !== poolBytes || memory.byteLength !== poolBytes) return false;
  // This compares with the pool in use. Pools that are already full are recognized because Node marks them as
  // untransferable.
  if (memory === node.Buffer.allocUnsafe(1).buffer) return true;
  const threads = node.process?.getBuiltinModule?.("node:worker_threads") as Threads | undefined;
  return !ArrayBuffer.isView(data) && threads?.isMarkedAsUntransferable?.(memory) === true;
}

let poolBytes: number | undefined;
