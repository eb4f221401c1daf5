/** What tells such adapters by their names: Chromium's and Dawn's SwiftShader, Mesa's on the CPU, Windows' WARP. */
const NAMES: readonly RegExp[] = [
  /swiftshader/i,
  /llvmpipe|lavapipe|softpipe/i,
  /\bwarp\b|basic render driver/i,
];

/** Mesa's drivers on the CPU, where an adapter tells no more than vendor and architecture. */
const ARCHITECTURE = "software";

/** An adapter, as far as it says what it is. */
export interface Described {
  readonly info: GPUAdapterInfo;
  /** Where browsers told it before it moved to `info`. */
  readonly isFallbackAdapter?: boolean;
}

/**
 * Does an adapter compute on the CPU? The specification's word for it is `info.isFallbackAdapter`, which a browser may
 * leave out or say of its own fallback alone: then the names tell.
 */
export function isSoftware({ info, isFallbackAdapter }: Described): boolean {
  if (info.isFallbackAdapter || isFallbackAdapter) return true;
  const { vendor, architecture, device, description } = info;
  const told = [vendor, architecture, device, description];
  return architecture === ARCHITECTURE || told.some((word) => NAMES.some((name) => name.test(word)));
}
