import { createRequire } from "node:module";

/** The addon that native/stderr.c implements. */
interface Addon {
  /** Captures what the process writes to stderr from now on. Returns false if it cannot. */
  hold(): boolean;
  /** Restores stderr and returns what was written meanwhile. */
  release(): string;
}

const require = createRequire(import.meta.url);
let loaded: Addon | null | undefined;

/**
 * Runs synchronous work and captures what its native code writes to stderr. Streams of Node do not see such writes. The
 * addon is built for Linux only; on other platforms the text reaches stderr as usual. It also does so if the user sets
 * VK_LOADER_DEBUG, Vulkan's own variable, to read it.
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
    // The addon is not built for this platform or does not fit this system. The only loss is noise on stderr.
    loaded = null;
  }
  return loaded;
}
