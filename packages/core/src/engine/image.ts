import { type Countable, type Cuttable, isSamplesInit, type Samples } from "../input/index.ts";

/** The rows of a picture in samples that said how wide they are. */
export function imageOf(input: Countable, { width, height }: Samples): Cuttable["image"] {
  return isSamplesInit(input) && input.width !== undefined ? { width, height } : null;
}
