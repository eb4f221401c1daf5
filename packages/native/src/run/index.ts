export { extentsOn, type FindExtent, prepareCells, prepareChannels } from "./dispatch.ts";
export { prepareSegments } from "./segments.ts";
export { Turns } from "./turns.ts";
export { prepareWeighted } from "./weighted.ts";
