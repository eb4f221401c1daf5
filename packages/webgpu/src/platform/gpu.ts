/** Finds a WebGPU adapter, from `navigator.gpu` or from Dawn, or returns a sentence that says why there is none. */
export type FindAdapter = (options: GPURequestAdapterOptions) => Promise<GPUAdapter | string>;

/** Finds the adapter of a page or of a runtime with WebGPU. */
export const navigatorAdapter: FindAdapter = async (options) => {
  const gpu = globalThis.navigator?.gpu;
  if (gpu !== undefined) return (await gpu.requestAdapter(options)) ?? noAdapter();
  return globalThis.isSecureContext === false
    ? "this page has no navigator.gpu: WebGPU needs a secure context (https or localhost)"
    : "there is no navigator.gpu here: this browser has no WebGPU";
};

/** Returns the sentence for a missing adapter. `told` is what the driver says about it. */
export function noAdapter(told = ""): string {
  return `WebGPU has no adapter here: no GPU, or no driver for it${told === "" ? "" : ` (${told})`}`;
}
