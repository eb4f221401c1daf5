import { type Countable, type Cuttable, isSamplesInit, type Samples } from "../input/index.ts";

/** Returns the size of the picture if the samples were described with a width, and null otherwise. */
export function imageOf(input: Countable, { width, height }: Samples): Cuttable["image"] {
  return isSamplesInit(input) && input.width !== undefined ? { width, height } : null;
}
