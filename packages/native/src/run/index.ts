export { extentOn, prepareCells, prepareChannels } from "./dispatch.ts";
