export { readCodes, readMask } from "./codes.ts";
export { expectPlain } from "./container.ts";
export { chosen, pictureIn, readPicture } from "./picture.ts";
export { gather, openSource, type Source, tooBig } from "./source.ts";
export { streamExtent } from "./stream-extent.ts";
