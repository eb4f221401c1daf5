export { prepareChannels } from "./dispatch.ts";
