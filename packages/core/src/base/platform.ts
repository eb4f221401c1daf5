/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Global types of web pages and Node that plain JavaScript lacks. If a program is compiled with either library, these
 * empty interfaces merge with the real ones. Otherwise these declarations let polybin's types compile.
 */
declare global {
  interface AbortSignal {}
  interface Blob {}
  interface File extends Blob {}
  // biome-ignore lint/suspicious/noExplicitAny: the real one declares `any`, and only equal declarations merge
  interface ReadableStream<R = any> {}
  interface URL {}
}

/** Resolves to T if the program's types know the global of this name, and to never otherwise. */
export type Where<Name extends string, T> = typeof globalThis extends { readonly [name in Name]: unknown }
  ? T
  : never;
