/**
 * A WebGPU type, if the program that uses this package knows it. It comes from TypeScript's DOM library (since
 * TypeScript 6) or from `@webgpu/types`. In other programs the type is any object, so that neither is required.
 */
export type Known<Name extends "GPUBuffer" | "GPUDevice" | "GPUTexture"> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : object;
