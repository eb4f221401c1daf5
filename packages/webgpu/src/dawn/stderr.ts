import { createRequire } from "node:module";

/** native/stderr.c. */
interface Addon {
  /** What is written to the process's stderr is kept from now on; false where that cannot be. */
  hold(): boolean;
  /** What was written meanwhile; stderr is as before. */
  release(): string;
}

const require = createRequire(import.meta.url);
let loaded: Addon | null | undefined;

/**
 * Runs something synchronous whose native code writes to stderr, and keeps what it writes: no stream of Node's sees
 * that. Without the addon, which is built for Linux alone, it is written as ever. So it is where the user wants to read
 * it, with Vulkan's own variable VK_LOADER_DEBUG.
 */
export function captured<T>(work: () => T): { readonly value: T; readonly text: string } {
  const held = process.env.VK_LOADER_DEBUG === undefined ? addon() : null;
  if (held === null || !held.hold()) return { value: work(), text: "" };
  let value: T;
  try {
    value = work();
  } catch (error) {
    held.release();
    throw error;
  }
  return { value, text: held.release() };
}

function addon(): Addon | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = require(`./stderr-${process.platform}-${process.arch}.node`) as Addon;
  } catch {
    // Not built for this platform, or not fit for this system: only noise is the worse for it.
    loaded = null;
  }
  return loaded;
}
