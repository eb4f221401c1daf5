export { prepareCells, prepareChannels } from "./dispatch.ts";
