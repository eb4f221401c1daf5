/**
 * A type of WebGPU's, where the program that uses this package knows it: from TypeScript's DOM library, which has it
 * since TypeScript 6, or from `@webgpu/types`. To all others it is any object, so that neither is asked for.
 */
export type Known<Name extends "GPUBuffer" | "GPUDevice" | "GPUTexture"> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : object;
