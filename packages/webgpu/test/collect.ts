import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// If the process was started without the flag, contexts that are created from now on have the function.
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/**
 * Collects unreferenced objects. `deref` of a WeakRef keeps its target for a turn of the event loop, and so do
 * promises.
 */
export async function collect(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
  }
}
