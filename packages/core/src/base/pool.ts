/** What is asked of Node's globals, where there are any; through globalThis, so that no bundler brings a Buffer along. */
interface NodeGlobals {
  readonly Buffer?: { allocUnsafe(size: number): { readonly buffer: ArrayBufferLike } };
  readonly process?: { getBuiltinModule?(id: string): object | undefined };
}

/** Node's own, from 21 on. */
interface Threads {
  isMarkedAsUntransferable?(value: object): boolean;
}

/**
 * Is this all memory of Node's pool, from which small Buffers are cut? `buffer.buffer` of one is that, with the bytes of
 * others before and behind its own. A view of other memory is never taken for it, nor any memory of another length.
 */
export function isNodePool(data: ArrayBufferView | ArrayBufferLike): boolean {
  const node = globalThis as NodeGlobals;
  if (node.Buffer === undefined) return false;
  const memory = ArrayBuffer.isView(data) ? data.buffer : data;
  poolBytes ??= node.Buffer.allocUnsafe(1).buffer.byteLength;
  if (data.byteLength !== poolBytes || memory.byteLength !== poolBytes) return false;
  // The one in use; of those that are full it is known that nobody may transfer them, as of others' memory, too.
  if (memory === node.Buffer.allocUnsafe(1).buffer) return true;
  const threads = node.process?.getBuiltinModule?.("node:worker_threads") as Threads | undefined;
  return !ArrayBuffer.isView(data) && threads?.isMarkedAsUntransferable?.(memory) === true;
}

let poolBytes: number | undefined;
