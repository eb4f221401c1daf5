/** Finds WebGPU, `navigator.gpu` or Dawn, or says in a sentence why there is none. */
export type FindGpu = () => Promise<GPU | string>;

/** What a page has. */
export const navigatorGpu: FindGpu = async () => {
  const gpu = globalThis.navigator?.gpu;
  if (gpu !== undefined) return gpu;
  return globalThis.isSecureContext === false
    ? "this page has no navigator.gpu: WebGPU needs a secure context (https or localhost)"
    : "there is no navigator.gpu here: this browser has no WebGPU";
};
