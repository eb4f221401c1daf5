export { extentOn, prepareCells, prepareChannels } from "./dispatch.ts";
export { prepareSegments } from "./segments.ts";
