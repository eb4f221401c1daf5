/**
 * Pictures as they are stored: known by their first bytes, checked for damage, decoded at their own depth. For Node.
 */
export { type DecodeOptions, decode } from "./decode.ts";
export { PictureError } from "./error.ts";
export type { Picture } from "./picture.ts";
