/** Finds an adapter of WebGPU, `navigator.gpu` or Dawn, or says in a sentence why there is none. */
export type FindAdapter = (options: GPURequestAdapterOptions) => Promise<GPUAdapter | string>;

/** What a page has. */
export const navigatorAdapter: FindAdapter = async (options) => {
  const gpu = globalThis.navigator?.gpu;
  if (gpu !== undefined) return (await gpu.requestAdapter(options)) ?? noAdapter();
  return globalThis.isSecureContext === false
    ? "this page has no navigator.gpu: WebGPU needs a secure context (https or localhost)"
    : "there is no navigator.gpu here: this browser has no WebGPU";
};

/** The sentence where there is none; `told` is what the driver says about it. */
export function noAdapter(told = ""): string {
  return `WebGPU has no adapter here: no GPU, or no driver for it${told === "" ? "" : ` (${told})`}`;
}
