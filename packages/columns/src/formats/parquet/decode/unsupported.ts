/** Thrown for pages that may be whole, but that are stored in a way, or hold values, that are not read. */
export class Unsupported extends Error {}
