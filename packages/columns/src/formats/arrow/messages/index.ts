export type { Block, Blocks, Message, RecordBatch, Region } from "./message.ts";
export { checkedMessage, footerOf, messageAt, type Placed, prefixOf } from "./read.ts";
