export type { Allow } from "./allow.ts";
export { standsForMany } from "./many.ts";
export { type Location, listPlaces, openSource, SOURCE_OPTIONS, type SourceOptions } from "./open.ts";
export { orAborted } from "./or-aborted.ts";
export { checkUnpacked, unpackedName, unpackedSource } from "./packed.ts";
export type { ByteSource, SourceReadOptions } from "./source.ts";
