import type { Kernel, TexelType } from "../../platform/index.ts";
import type { Grid } from "./grid.ts";
import type { Values } from "./params.ts";

/** Dense samples in a buffer, from the binding's first byte on. */
export interface Chunk {
  readonly data: Data;
  readonly pixels: number;
}

/** Buffers that dispatches share, by what is in them; `none`: nothing is. */
export type Scratch = "none" | "codes" | "histograms" | "dense" | "into";

/** What binding 0 is: a user's or a resident's own, or what a dispatch before wrote. */
export type Data = GPUBufferBinding | Extract<Scratch, "none" | "codes" | "dense">;

/** A view of one level and layer of a texture, and what its texels are read as. */
export interface Texels {
  readonly view: GPUTextureView;
  readonly type: TexelType;
}

/** One dispatch. */
export interface Dispatch {
  readonly pipeline: GPUComputePipeline;
  readonly kernel: Kernel;
  /** What its kernel is told. */
  readonly params: Values;
  readonly data: Data;
  /** What binding 3 is. */
  readonly scratch: Scratch;
  /** What group 1 is, for kernels that read texels. */
  readonly texels?: Texels;
  readonly grid: Grid;
}
