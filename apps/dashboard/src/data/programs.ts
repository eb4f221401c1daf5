import type { RowSummary } from "./types.ts";

/** A program that counts, or a measurement of memory, with the name that every view gives it. */
export interface Program {
  /** Its colour is `--program-ID` of the style sheet, in every view. */
  readonly id: string;
  readonly name: string;
}

/** Our backends and other programs, by the names that result files use. Several names can be one program. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  cuda: { id: "cuda", name: "CUDA" },
  webgpu: { id: "webgpu", name: "WebGPU" },
  native: { id: "native", name: "Native threads" },
  piscina: { id: "piscina", name: "Worker threads" },
  cpu: { id: "cpu", name: "polybin's JavaScript" },
  chromium: { id: "chromium", name: "WebGPU in Chromium" },
  c: { id: "c", name: "C" },
  "c-threads": { id: "c", name: "C" },
  numpy: { id: "numpy", name: "NumPy" },
  opencv: { id: "opencv", name: "OpenCV" },
  "js-loop": { id: "loop", name: "JavaScript loop" },
  "d3-array": { id: "d3", name: "d3-array" },
  "image-js": { id: "image", name: "image-js" },
  duckdb: { id: "duckdb", name: "DuckDB" },
  "fast-histogram": { id: "fast", name: "fast-histogram" },
  cub: { id: "cub", name: "CUB" },
  cupy: { id: "cupy", name: "CuPy" },
  "cupy.histogramdd": { id: "cupy", name: "CuPy" },
  pytorch: { id: "pytorch", name: "PyTorch" },
  "torch.bincount(weights)": { id: "pytorch", name: "PyTorch" },
  "luma.gl": { id: "luma", name: "luma.gl" },
  read: { id: "read", name: "Reading alone" },
  copy: { id: "copy", name: "Copying alone" },
  dawn: { id: "dawn", name: "Empty kernel in Dawn" },
  "TypedArray.set": { id: "set", name: "TypedArray.set" },
  "queue.writeBuffer": { id: "write", name: "queue.writeBuffer" },
};

export const ALL_PROGRAMS: readonly Program[] = [
  ...new Map(Object.values(PROGRAMS).map((one) => [one.id, one])).values(),
];

/** Returns the program of a row. A name that no view knows is its own. */
export function programOf({ peer, backend }: Pick<RowSummary, "peer" | "backend">): Program {
  const slug = peer ?? backend ?? "";
  return PROGRAMS[slug] ?? { id: "other", name: slug };
}
