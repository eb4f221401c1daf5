export { type ChannelCounter, type ChannelResult, channelCounter } from "./channel.ts";
export { Lowerer } from "./lowerer.ts";
export { visibleCounters } from "./visible.ts";
