/** A way to WebGPU: `navigator.gpu`, or Dawn. */
export interface GpuLease {
  readonly gpu: GPU;
  /** Lets go of it; once, when nothing runs on its devices any more. */
  release(): void;
}

/** Finds WebGPU, or says in a sentence why there is none. */
export type FindGpu = () => Promise<GpuLease | string>;

/** What a page has. */
export const navigatorGpu: FindGpu = async () => {
  const gpu = globalThis.navigator?.gpu;
  if (gpu === undefined) {
    return globalThis.isSecureContext === false
      ? "this page has no navigator.gpu: WebGPU needs a secure context (https or localhost)"
      : "there is no navigator.gpu here: this browser has no WebGPU";
  }
  return { gpu, release: () => {} };
};
