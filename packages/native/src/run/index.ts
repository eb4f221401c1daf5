export { findExtent, prepareCells, prepareChannels } from "./dispatch.ts";
