/** Names of software adapters: SwiftShader (Chromium, Dawn), Mesa on the CPU, WARP (Windows). */
const NAMES: readonly RegExp[] = [
  /swiftshader/i,
  /llvmpipe|lavapipe|softpipe/i,
  /\bwarp\b|basic render driver/i,
];

/** The architecture of Mesa's drivers on the CPU, for adapters that report only vendor and architecture. */
const ARCHITECTURE = "software";

/** An adapter's description of itself. */
export interface Described {
  readonly info: GPUAdapterInfo;
  /** Its place in browsers before it moved to `info`. */
  readonly isFallbackAdapter?: boolean;
}

/**
 * Returns whether an adapter computes on the CPU. The specification has `info.isFallbackAdapter` for this. A browser
 * may omit it or set it only for its own fallback, so the names decide then.
 */
export function isSoftware({ info, isFallbackAdapter }: Described): boolean {
  if (info.isFallbackAdapter || isFallbackAdapter) return true;
  const { vendor, architecture, device, description } = info;
  const told = [vendor, architecture, device, description];
  return architecture === ARCHITECTURE || told.some((word) => NAMES.some((name) => name.test(word)));
}
