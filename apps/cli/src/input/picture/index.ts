/**
 * Pictures: known by their first bytes, checked for damage, decoded as they are stored. All that the rest of the
 * command needs of them comes through here.
 */
export { type DecodeOptions, decode, type Picture } from "./decode.ts";
export { type PictureFormat, pictureFormat, promisedPicture } from "./formats.ts";
