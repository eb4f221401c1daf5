/**
 * Pictures: known by their first bytes, checked for damage, decoded as they are stored. All that the rest of the
 * command needs of them comes through here.
 */
export { decode, type Picture } from "./decode.ts";
export { namedPicture, pictureFormat, promisedPicture } from "./formats.ts";
