/**
 * Decodes pictures as they are stored: it recognizes them by their first bytes, checks them for damage and keeps their
 * depth. For Node.
 */
export { type DecodeOptions, decode } from "./decode.ts";
export { PictureError } from "./error.ts";
export type { Picture } from "./picture.ts";
