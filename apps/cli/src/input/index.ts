export { readCodes, readMask } from "./codes.ts";
export { expectPlain } from "./container.ts";
export { expectNoText, guessedFormat, kindOf } from "./kind.ts";
export { chosen, pictureIn, readPicture } from "./picture.ts";
export { placesOf } from "./places.ts";
export { gather, openSource, type Source, tooBig } from "./source.ts";
export { isPiped } from "./stdin.ts";
export { streamExtent } from "./stream-extent.ts";
