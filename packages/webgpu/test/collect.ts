import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// A process that was not started with it gets the function in contexts that are made from now on.
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects what nobody refers to; `deref` of a WeakRef keeps its target for a turn, and so do promises. */
export async function collect(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
  }
}
