/** A worker's answer: a value that is cloned, and the memory that moves with it. */
export interface Decoded<R> {
  readonly value: R;
  readonly transfer: readonly ArrayBuffer[];
}

/** A function of a format that turns bytes into a batch, on any thread. Tasks and answers are clonable. */
export type Decode<T, R> = (task: T) => Decoded<R> | Promise<Decoded<R>>;

/** A format's decoder: its name in the generated list of decoders, and its module for the calling thread. */
export interface Decoder<T, R> {
  readonly format: string;
  readonly load: () => Promise<{ readonly decode: Decode<T, R> }>;
}

/** A message to a worker. */
export interface PoolTask {
  readonly format: string;
  readonly task: unknown;
}

/** A worker's message. Errors lose their class on the way, so they travel as their parts. */
export type PoolAnswer = { readonly value: unknown } | { readonly code: string; readonly message: string };
