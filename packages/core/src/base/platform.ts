/// <reference lib="esnext.disposable" preserve="true" />

/**
 * What a page's types and Node's have, and those of plain JavaScript lack. A program that is compiled with either has
 * the real ones, which these empty ones merge with; one that is compiled with neither has these.
 */
declare global {
  interface AbortSignal {}
  interface Blob {}
  // biome-ignore lint/suspicious/noExplicitAny: as the real one has it, or they would not merge
  interface ReadableStream<R = any> {}
}

/** A type where the program's types know the global of this name; else none, which an empty one would not be. */
export type Where<Name extends string, T> = typeof globalThis extends { readonly [name in Name]: unknown }
  ? T
  : never;
