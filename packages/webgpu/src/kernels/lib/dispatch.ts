import type { Kernel, TexelType } from "../../platform/index.ts";
import type { Grid } from "./grid.ts";
import type { Values } from "./params.ts";

/** Dense samples in a buffer. They begin at the binding's first byte. */
export interface Chunk {
  readonly data: Data;
  readonly pixels: number;
}

/** Buffers that dispatches share, named by their content. `none` holds nothing. */
export type Scratch = "none" | "codes" | "histograms" | "dense" | "into";

/** Binding 0: the user's or a resident's own buffer, or the output of an earlier dispatch. */
export type Data = GPUBufferBinding | Extract<Scratch, "none" | "codes" | "dense">;

/** A view of one level and layer of a texture, and the type of its texels. */
export interface Texels {
  readonly view: GPUTextureView;
  readonly type: TexelType;
}

/** One dispatch. */
export interface Dispatch {
  readonly pipeline: GPUComputePipeline;
  readonly kernel: Kernel;
  /** The params of its kernel. */
  readonly params: Values;
  readonly data: Data;
  /** Binding 3. */
  readonly scratch: Scratch;
  /** Group 1, for kernels that read texels. */
  readonly texels?: Texels;
  readonly grid: Grid;
}
