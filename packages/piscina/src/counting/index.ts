export { type ChannelCounter, channelCounter } from "./channel.ts";
export { Lowerer } from "./lowerer.ts";
