import { type Carried, NOTHING_CARRIED } from "../uhi/schema.ts";

/** Content of a file with several axes other than the axes and the numbers. */
export interface JointCarried {
  readonly histogram: Carried;
  /** One for each axis. */
  readonly axes: readonly Carried[];
}

/** The content of a result that was not read from a file. */
export function nothingCarried(axes: number): JointCarried {
  const { histogram, axis } = NOTHING_CARRIED;
  return { histogram, axes: Array.from({ length: axes }, () => axis) };
}
