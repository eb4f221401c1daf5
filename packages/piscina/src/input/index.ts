export { bufferOver, bytesOf, eachRun, InputError, type Ordered, type Read, readerOf } from "./reader.ts";
export { type Geometry, type MemorySource, rowOf, type Source, sourceOf, withSources } from "./source.ts";
