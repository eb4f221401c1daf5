export { breath } from "./breath.ts";
export type { Decode, Decoded, Decoder, PoolAnswer, PoolTask } from "./decoder.ts";
export { inOrder } from "./in-order.ts";
export { DecodePool, decodeError } from "./pool.ts";
