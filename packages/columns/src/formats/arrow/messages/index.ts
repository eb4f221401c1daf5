export type { Block, Blocks, RecordBatch, Region } from "./message.ts";
export { checkedMessage, footerOf, messageAt, prefixOf } from "./read.ts";
