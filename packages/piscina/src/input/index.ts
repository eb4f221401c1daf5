export { bytesOf, eachRun, type Ordered, type Read, readerOf } from "./reader.ts";
export { type Geometry, rowOf, type Source, sourceOf, withSources } from "./source.ts";
